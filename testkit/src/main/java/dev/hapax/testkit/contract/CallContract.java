package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Line;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallAnswer.Cycle;
import dev.hapax.run.journal.CallAnswer.Ended;
import dev.hapax.run.journal.CallAnswer.Gone;
import dev.hapax.run.journal.CallAnswer.KeyReused;
import dev.hapax.run.journal.CallAnswer.LetGo;
import dev.hapax.run.journal.CallAnswer.UnderWay;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.start.CallRule;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A run calls another and waits for its end: no end is missed, and no wait is for ever. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class CallContract extends StoreContract {
  private static final String ME = "run r-parent";
  private static final Failure WHY = Failure.of("declined", "no money", false);

  @Test
  void a_call_begins_its_child_and_waits_for_it() {
    NewRun parent = running("A-1");
    NewRun child = childOf(parent, "A-1/mail");

    Landed landed = land(next(parent, call(child)));

    assertThat(landed.answers()).containsExactly(new UnderWay(child.number(), true, true, false));
    assertThat(landed.woken()).containsExactly(child.number());
    assertThat(stored(child).status()).isEqualTo(RunStatus.QUEUED);
    assertThat(stored(child).parent()).isEqualTo(parent.number());
    assertThat(stored(child).depth()).isEqualTo(1);
    assertThat(due()).containsExactly(child.number());
  }

  @Test
  void the_end_of_a_child_wakes_its_caller_and_gives_its_result() {
    NewRun parent = running("A-1");
    NewRun child = called(parent, "A-1/mail");
    leave(parent);
    take(child);
    now = later(Duration.ofSeconds(5));

    Landed landed = succeed(child, "{\"n\":7}");
    take(parent);

    assertThat(landed.woken()).containsExactly(parent.number());
    assertThat(ask(parent, new Change.Await(child.number(), null)))
        .isEqualTo(new Ended(child.number(), true, false, RunStatus.SUCCEEDED, "{\"n\":7}", null));
  }

  @Test
  void an_end_while_the_caller_is_on_its_way_out_is_not_missed() {
    NewRun parent = running("A-1");
    NewRun child = called(parent, "A-1/mail");
    take(child);

    Landed ending = succeed(child, "7");
    Landed leaving = leave(parent);

    assertThat(ending.woken()).isEmpty();
    assertThat(leaving.woken()).containsExactly(parent.number());
    assertThat(stored(parent).dueAt()).isEqualTo(now);
  }

  @Test
  void all_callers_of_one_run_are_woken_by_its_end() {
    NewRun child = running("B");
    NewRun one = running("A-1");
    NewRun two = running("A-2");

    assertThat(ask(one, call(sameAs(child, one))))
        .isEqualTo(new UnderWay(child.number(), false, false, false));
    ask(two, call(sameAs(child, two)));
    leave(one);
    leave(two);

    assertThat(succeed(child, "7").woken()).containsExactlyInAnyOrder(one.number(), two.number());
    assertThat(stored(child).parent()).isNull();
  }

  @Test
  void a_call_of_a_run_that_has_ended_hears_its_end_and_does_not_wait() {
    NewRun child = running("B");
    land(next(child, new Change.End(RunStatus.FAILED, null, WHY)));
    NewRun parent = running("A-1");

    assertThat(ask(parent, call(sameAs(child, parent))))
        .isEqualTo(new Ended(child.number(), false, false, RunStatus.FAILED, null, WHY));

    leave(parent);
    reopen(child);
    assertThat(succeed(child, "7").woken()).isEmpty();
  }

  @Test
  void another_input_is_refused_unless_the_flow_takes_any() {
    NewRun child = running("B");
    NewRun parent = running("A-1");
    NewRun other = newRun(TENANT, FLOW, "B", "{\"order\":\"another\"}").childOf(parent.number(), 1);

    assertThat(ask(parent, call(other))).isEqualTo(new KeyReused(child.number()));
    assertThat(ask(parent, new Change.Call(other, true, null)))
        .isEqualTo(new UnderWay(child.number(), false, false, true));
  }

  @Test
  void a_refused_call_waits_for_nothing() {
    NewRun child = running("B");
    NewRun parent = running("A-1");
    ask(parent, call(newRun(TENANT, FLOW, "B", "{}").childOf(parent.number(), 1)));
    leave(parent);

    assertThat(succeed(child, "7").woken()).isEmpty();
  }

  @Test
  void a_run_that_is_to_be_canceled_calls_no_child() {
    NewRun parent = running("A-1");
    NewRun child = childOf(parent, "A-1/mail");
    land(notEnded(parent, new Change.RequestCancel(new Run.Cancel("ann", null))));

    assertThat(ask(parent, call(child))).isEqualTo(new ClaimAnswer.Refused());
    assertThat(store.find(child.id())).isNull();
  }

  @Test
  void a_group_that_is_lost_calls_no_child() {
    NewRun parent = running("A-1");
    NewRun child = childOf(parent, "A-1/mail");

    assertThat(commit(owned(parent, 7, call(child)))).isEqualTo(new Lost());

    assertThat(store.find(child.id())).isNull();
  }

  @Test
  void a_child_that_is_not_there_is_gone() {
    NewRun parent = running("A-1");

    assertThat(ask(parent, new Change.Await(7, null))).isEqualTo(new Gone(7));
    assertThat(ask(parent, new Change.StopChild(7, wish()))).isEqualTo(new Gone(7));
  }

  // ---- batches that are submitted again

  @Test
  void a_batch_that_is_submitted_again_calls_once_and_answers_the_same() {
    NewRun parent = running("A-1");
    Group group = next(parent, call(childOf(parent, "A-1/mail")));

    Landed first = land(group);
    Landed again = land(group);

    assertThat(again.answers()).isEqualTo(first.answers());
    assertThat(store.journal(parent.number())).hasSize(1);
  }

  @Test
  void a_call_that_is_submitted_again_after_the_childs_end_still_says_that_it_is_under_way() {
    NewRun parent = running("A-1");
    NewRun child = childOf(parent, "A-1/mail");
    Group group = next(parent, call(child));
    Landed first = land(group);
    take(child);
    succeed(child, "7");

    assertThat(land(group).answers()).isEqualTo(first.answers());
    assertThat(leave(parent).woken()).containsExactly(parent.number());
  }

  @Test
  void a_retry_that_is_submitted_again_lets_the_child_go_on_once() {
    NewRun parent = running("A-1");
    NewRun child = failed(parent, "A-1/mail");
    Group group = next(parent, new Change.Await(child.number(), retry(null)));
    Landed first = land(group);
    take(child);
    land(next(child, new Change.End(RunStatus.FAILED, null, WHY)));

    assertThat(land(group).answers()).isEqualTo(first.answers());

    assertThat(stored(child).status()).isEqualTo(RunStatus.FAILED);
    assertThat(store.journal(child.number())).hasSize(3);
  }

  // ---- going on after a failure

  @Test
  void a_retry_lets_a_child_that_failed_go_on_and_waits_for_it() {
    NewRun parent = running("A-1");
    NewRun child = failed(parent, "A-1/mail");
    Instant timeout = later(Duration.ofDays(1));

    Landed landed = land(next(parent, new Change.Await(child.number(), retry(timeout))));

    assertThat(landed.answers()).containsExactly(new UnderWay(child.number(), true, true, false));
    assertThat(landed.woken()).containsExactly(child.number());
    assertThat(stored(child).status()).isEqualTo(RunStatus.QUEUED);
    assertThat(stored(child).error()).isNull();
    assertThat(stored(child).timeoutAt()).isEqualTo(timeout);
    assertThat(store.journal(child.number()).getLast().readEntries())
        .containsExactly(new RunEntry.Retried(ME, null, null));
    leave(parent);
    take(child);
    assertThat(succeed(child, "7").woken()).containsExactly(parent.number());
  }

  @Test
  void a_retry_takes_what_has_succeeded_meanwhile() {
    NewRun parent = running("A-1");
    NewRun child = failed(parent, "A-1/mail");
    reopen(child);
    succeed(child, "7");

    assertThat(ask(parent, new Change.Await(child.number(), retry(null))))
        .isEqualTo(new Ended(child.number(), true, false, RunStatus.SUCCEEDED, "7", null));
  }

  @Test
  void a_child_that_its_own_parent_canceled_goes_on_and_one_that_a_person_canceled_does_not() {
    NewRun parent = running("A-1");
    NewRun mine = canceled(parent, "A-1/mail", ME);
    NewRun theirs = canceled(parent, "A-1/fax", "ann");

    assertThat(ask(parent, new Change.Await(mine.number(), retry(null))))
        .isEqualTo(new UnderWay(mine.number(), true, true, false));
    assertThat(ask(parent, new Change.Await(theirs.number(), retry(null))))
        .isEqualTo(new Ended(theirs.number(), true, false, RunStatus.CANCELED, null, null));
    assertThat(stored(mine).cancel()).isNull();
  }

  @Test
  void a_corrected_input_reaches_a_child_that_failed_and_leaves_one_that_succeeded() {
    NewRun parent = running("A-1");
    NewRun failed = failed(parent, "A-1/mail");
    NewRun done = called(parent, "A-1/fax");
    take(done);
    succeed(done, "7");

    Answer first = ask(parent, new Change.Call(corrected(failed), false, retry(null)));
    Answer second = ask(parent, new Change.Call(corrected(done), false, retry(null)));

    assertThat(first).isEqualTo(new UnderWay(failed.number(), true, true, false));
    assertThat(stored(failed).input()).isEqualTo("{\"corrected\":true}");
    assertThat(stored(failed).startedWith(failed.fingerprint())).isTrue();
    assertThat(second)
        .isEqualTo(new Ended(done.number(), true, true, RunStatus.SUCCEEDED, "7", null));
  }

  // ---- stopping

  @Test
  void a_run_that_is_to_end_asks_its_own_child_to_end_and_is_woken_by_that() {
    NewRun parent = running("A-1");
    NewRun child = called(parent, "A-1/mail");
    take(child);
    land(withoutEntries(next(child, new Change.Release(RunStatus.WAITING, null))));

    Landed landed = land(next(parent, new Change.StopChild(child.number(), wish())));

    assertThat(landed.answers()).containsExactly(new UnderWay(child.number(), true, false, false));
    assertThat(landed.woken()).containsExactly(child.number());
    assertThat(stored(child).cancel()).isEqualTo(wish());
    leave(parent);
    take(child);
    assertThat(land(next(child, new Change.End(RunStatus.CANCELED, null, null))).woken())
        .containsExactly(parent.number());
  }

  @Test
  void a_run_that_is_to_end_lets_go_of_a_run_that_it_did_not_start() {
    NewRun child = running("B");
    NewRun parent = running("A-1");
    ask(parent, call(sameAs(child, parent)));

    assertThat(ask(parent, new Change.StopChild(child.number(), wish())))
        .isEqualTo(new LetGo(child.number()));

    leave(parent);
    assertThat(stored(child).cancel()).isNull();
    assertThat(succeed(child, "7").woken()).isEmpty();
  }

  @Test
  void a_child_that_has_ended_is_not_asked_to() {
    NewRun parent = running("A-1");
    NewRun child = failed(parent, "A-1/mail");

    assertThat(ask(parent, new Change.StopChild(child.number(), wish())))
        .isEqualTo(new Ended(child.number(), true, false, RunStatus.FAILED, null, WHY));
    assertThat(stored(child).cancel()).isNull();
  }

  // ---- cycles

  @Test
  void a_run_cannot_wait_for_itself() {
    NewRun run = running("A-1");

    assertThat(ask(run, call(sameAs(run, run)))).isEqualTo(new Cycle(run.number()));
  }

  @Test
  void a_run_cannot_wait_for_one_that_waits_for_it_through_others() {
    NewRun first = running("A");
    NewRun second = called(first, "B");
    take(second);
    NewRun third = called(second, "C");
    take(third);

    assertThat(ask(third, call(sameAs(first, third)))).isEqualTo(new Cycle(first.number()));
    leave(third);

    assertThat(land(next(first, new Change.End(RunStatus.SUCCEEDED, null, null))).woken())
        .isEmpty();
  }

  @Test
  void who_has_let_go_closes_no_cycle() {
    NewRun first = running("A");
    NewRun second = running("B");
    ask(first, call(sameAs(second, first)));
    assertThat(ask(second, call(sameAs(first, second)))).isEqualTo(new Cycle(first.number()));
    ask(first, new Change.StopChild(second.number(), wish()));

    assertThat(ask(second, call(sameAs(first, second))))
        .isEqualTo(new UnderWay(first.number(), false, false, false));
  }

  @Test
  void a_run_cannot_wait_for_one_that_waits_for_what_it_holds() {
    NewRun holder = running("A");
    NewRun behind = running("B");
    NewRun free = running("C");
    ask(holder, lock());
    ask(behind, lock());

    assertThat(ask(holder, call(sameAs(behind, holder)))).isEqualTo(new Cycle(behind.number()));
    assertThat(ask(free, call(sameAs(behind, free))))
        .isEqualTo(new UnderWay(behind.number(), false, false, false));
  }

  @Test
  void a_child_cannot_wait_for_what_its_parent_holds() {
    NewRun parent = running("A-1");
    ask(parent, lock());
    NewRun child = called(parent, "A-1/mail");
    take(child);

    assertThat(ask(child, lock()))
        .isInstanceOfSatisfying(
            Answer.LockImpossible.class,
            impossible -> assertThat(impossible.code()).isEqualTo("deadlock"));
  }

  private static Change.Lock lock() {
    return new Change.Lock(Line.lock(TENANT, "stock"), new Step("take", null));
  }

  @Test
  void many_callers_of_one_run_are_no_cycle() {
    NewRun shared = running("B");
    for (int i = 0; i < 100; i++) {
      NewRun caller = running("A-" + i);
      ask(caller, call(sameAs(shared, caller)));
    }
    NewRun other = running("C");

    assertThat(ask(shared, call(sameAs(other, shared))))
        .isEqualTo(new UnderWay(other.number(), false, false, false));
  }

  // ---- lists

  @Test
  void the_children_of_a_run_are_those_that_it_started() {
    NewRun parent = running("A-1");
    NewRun first = called(parent, "A-1/mail");
    NewRun second = called(parent, "A-1/fax");
    NewRun attached = running("B");
    ask(parent, call(sameAs(attached, parent)));
    called(running("A-2"), "A-2/mail");

    List<Run> children = store.runs(RunFilter.of(TENANT).childrenOf(stored(parent)));

    assertThat(children).extracting(Run::number).containsExactly(second.number(), first.number());
    assertThat(
            store.runs(RunFilter.of(TENANT).childrenOf(stored(parent)).status(RunStatus.SUCCEEDED)))
        .isEmpty();
  }

  // ---- words

  private static Change.Call call(NewRun child) {
    return new Change.Call(child, false, null);
  }

  private static Run.Cancel wish() {
    return new Run.Cancel(ME, "its parent is to end");
  }

  private static CallRule.Retry retry(@Nullable Instant timeoutAt) {
    return new CallRule.Retry(ME, timeoutAt);
  }

  private NewRun childOf(NewRun parent, String key) {
    return newRun(key).childOf(parent.number(), parent.depth() + 1);
  }

  /** Returns the run that a caller would start if this one did not exist. */
  private NewRun sameAs(NewRun there, NewRun caller) {
    return newRun(there.tenant(), there.flow(), there.key(), there.input())
        .childOf(caller.number(), 1);
  }

  private NewRun corrected(NewRun child) {
    return newRun(child.tenant(), child.flow(), child.key(), "{\"corrected\":true}")
        .childOf(Objects.requireNonNull(child.parent()), child.depth());
  }

  private NewRun called(NewRun parent, String key) {
    NewRun child = childOf(parent, key);
    ask(parent, call(child));
    return child;
  }

  private NewRun failed(NewRun parent, String key) {
    NewRun child = called(parent, key);
    take(child);
    land(next(child, new Change.End(RunStatus.FAILED, null, WHY)));
    return child;
  }

  private NewRun canceled(NewRun parent, String key, String actor) {
    NewRun child = called(parent, key);
    take(child);
    land(notEnded(child, new Change.RequestCancel(new Run.Cancel(actor, null))));
    land(next(child, new Change.End(RunStatus.CANCELED, null, null)));
    return child;
  }

  private Answer ask(NewRun run, Change question) {
    return land(next(run, question)).answers().getLast();
  }

  private Landed leave(NewRun run) {
    return land(withoutEntries(next(run, new Change.Release(RunStatus.WAITING, null))));
  }

  private void take(NewRun run) {
    int seq = store.journal(run.number()).size();
    land(withoutEntries(unowned(run, seq, new Change.Take(OWNER))));
  }

  /** Reopens the run as a person does, and takes it up again. */
  private void reopen(NewRun run) {
    int seq = store.journal(run.number()).size();
    land(unowned(run, seq, new Change.Reopen(null, null, null)));
    take(run);
  }

  private Landed succeed(NewRun run, String output) {
    return land(next(run, new Change.End(RunStatus.SUCCEEDED, output, null)));
  }
}
