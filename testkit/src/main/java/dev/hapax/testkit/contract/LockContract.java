package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Hold;
import dev.hapax.flow.Line;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.Answer.LockImpossible;
import dev.hapax.run.journal.Answer.LockTaken;
import dev.hapax.run.journal.Answer.Locked;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.NodeReport;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Locks across flows: one holder, a fair line, and a fence that only grows. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class LockContract extends StoreContract {
  private static final Step SECTION = new Step("section", null);

  @Test
  void a_free_lock_is_granted_and_the_second_run_waits() {
    NewRun first = running("A");
    NewRun second = running("B");

    assertThat(ask(first, "stock")).isEqualTo(new Locked(1));
    assertThat(ask(second, "stock")).isEqualTo(new LockTaken(first.id().toString()));

    assertThat(store.holds(TENANT, null))
        .extracting(Hold::run)
        .containsExactly(first.number(), second.number());
    assertThat(store.holds(TENANT, null).getFirst().since()).isEqualTo(now);
  }

  @Test
  void a_holder_that_leaves_admits_the_longest_waiting_with_a_larger_fence() {
    NewRun first = running("A");
    NewRun second = waitingFor("B", first, "stock");
    NewRun third = waitingFor("C", null, "stock");

    Landed left = land(next(first, unlock("stock")));

    assertThat(left.woken()).containsExactly(second.number());
    land(withoutEntries(unowned(second, 2, new Change.Take(OWNER))));
    assertThat(ask(second, "stock")).isEqualTo(new Locked(2));
    assertThat(land(next(second, unlock("stock"))).woken()).containsExactly(third.number());
    assertThat(ask(running("D"), "other")).isEqualTo(new Locked(4));
  }

  @Test
  void a_waiter_in_memory_finds_the_lock_when_it_asks_again_or_leaves() {
    NewRun first = running("A");
    NewRun second = running("B");
    ask(first, "stock");
    ask(second, "stock");

    assertThat(land(next(first, unlock("stock"))).woken()).isEmpty();

    Landed left = land(next(second, new Change.Release(RunStatus.WAITING, null)));
    assertThat(left.woken()).containsExactly(second.number());
  }

  @Test
  void the_end_of_a_run_gives_back_every_lock_and_every_place_in_line() {
    NewRun first = running("A");
    NewRun second = running("B");
    NewRun third = running("C");
    ask(first, "stock");
    ask(first, "money");
    ask(second, "desk");
    ask(first, "desk");
    ask(third, "money");

    land(next(first, new Change.End(RunStatus.FAILED, null, null)));

    assertThat(store.holds(TENANT, null))
        .extracting(Hold::run)
        .containsExactly(second.number(), third.number());
    assertThat(store.holds(TENANT, null)).allMatch(Hold::isHeld);
  }

  @Test
  void asked_again_the_holder_keeps_its_fence() {
    NewRun first = running("A");
    ask(first, "stock");
    store.heartbeat(NodeReport.of(OTHER_OWNER));
    store.heartbeat(NodeReport.of(OWNER));

    assertThat(ask(first, "stock")).isEqualTo(new Locked(1));
  }

  @Test
  void a_quarantined_run_keeps_its_locks_and_their_fences_until_it_ends() {
    NewRun first = running("A");
    NewRun second = waitingFor("B", first, "stock");
    Failure why = Failure.of("quarantined", "it ends processes", false);

    assertThat(land(next(first, new Change.Quarantine(why))).woken()).isEmpty();

    Hold held = store.holds(TENANT, null).getFirst();
    assertThat(held.run()).isEqualTo(first.number());
    assertThat(held.fence()).isEqualTo(1);
    assertThat(ask(running("C"), "stock")).isEqualTo(new LockTaken(second.id().toString()));
    Landed ended = land(quarantined(first, new Change.End(RunStatus.CANCELED, null, null)));
    assertThat(ended.woken()).containsExactly(second.number());
    assertThat(store.holds(TENANT, null).getFirst().run()).isEqualTo(second.number());
  }

  @Test
  void another_section_of_the_same_run_is_refused_clearly() {
    NewRun first = running("A");
    ask(first, "stock");

    Answer answer = ask(first, "stock", new Step("inner", null));

    assertThat(answer).isInstanceOf(LockImpossible.class);
    assertThat(((LockImpossible) answer).code()).isEqualTo("lock-reentrant");
    assertThat(((LockImpossible) answer).why()).contains("'section'");
  }

  @Test
  void a_circle_of_waiting_runs_is_refused_where_it_would_close() {
    NewRun first = running("A");
    NewRun second = running("B");
    NewRun third = running("C");
    ask(first, "1");
    ask(second, "2");
    ask(third, "3");
    ask(first, "2");
    ask(second, "3");

    Answer answer = ask(third, "1");

    assertThat(answer).isInstanceOf(LockImpossible.class);
    assertThat(((LockImpossible) answer).code()).isEqualTo("deadlock");
    assertThat(((LockImpossible) answer).why())
        .contains(first.id().toString(), second.id().toString(), "'1'", "'2'", "'3'");
    assertThat(store.holds(TENANT, null)).hasSize(5);
  }

  @Test
  void a_run_that_is_to_be_canceled_gets_no_lock() {
    NewRun first = running("A");
    land(notEnded(first, new Change.RequestCancel(new Run.Cancel("ann", null))));

    assertThat(ask(first, "stock")).isEqualTo(new ClaimAnswer.Refused());

    assertThat(store.holds(TENANT, null)).isEmpty();
  }

  @Test
  void a_batch_that_is_submitted_again_locks_and_unlocks_once() {
    NewRun first = running("A");
    NewRun second = running("B");
    Group locks = next(first, lock("stock"));
    Group waits = next(second, lock("stock"));

    List<Answer> heard = List.of(only(land(locks)), only(land(waits)));

    assertThat(List.of(only(land(locks)), only(land(waits)))).isEqualTo(heard);
    Group leaves = next(first, unlock("stock"));
    land(leaves);
    land(leaves);
    assertThat(ask(second, "stock")).isEqualTo(new Locked(2));
  }

  @Test
  void tenants_have_locks_of_their_own() {
    NewRun first = running("A");
    ask(first, "stock");
    NewRun foreign = newRun("globex", FLOW, "A", "1");
    land(withoutEntries(insert(foreign, OWNER)));

    Landed landed = land(next(foreign, new Change.Lock(Line.lock("globex", "stock"), SECTION)));

    assertThat(only(landed)).isEqualTo(new Locked(2));
  }

  private NewRun waitingFor(String key, @Nullable NewRun holder, String lock) {
    if (holder != null) {
      ask(holder, lock);
    }
    NewRun run = running(key);
    ask(run, lock);
    land(next(run, new Change.Release(RunStatus.WAITING, null)));
    return run;
  }

  private Answer ask(NewRun run, String key) {
    return ask(run, key, SECTION);
  }

  private Answer ask(NewRun run, String key, Step step) {
    return only(land(next(run, new Change.Lock(Line.lock(TENANT, key), step))));
  }

  private static Answer only(Landed landed) {
    return landed.answers().getFirst();
  }

  private static Change lock(String key) {
    return new Change.Lock(Line.lock(TENANT, key), SECTION);
  }

  private static Change unlock(String key) {
    return new Change.Unlock(Line.lock(TENANT, key), SECTION);
  }
}
