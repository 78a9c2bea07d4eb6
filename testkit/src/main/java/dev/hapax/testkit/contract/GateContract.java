package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.EffectFilter;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Hold;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.Gate;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.GroupAnswer.Busy;
import dev.hapax.store.GroupAnswer.Exists;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Queued;
import dev.hapax.store.Head;
import dev.hapax.store.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The concurrency limit of a flow: slots, the line before them, and which run gets one when. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class GateContract extends StoreContract {
  private static final Change.End SUCCEEDED = new Change.End(RunStatus.SUCCEEDED, "1", null);
  private static final Gate ONE = new Gate("customer-7", 1, Overflow.QUEUE);

  @Test
  void a_free_slot_is_taken_in_the_commit_of_the_insert() {
    NewRun run = gated("A", ONE);

    assertThat(commit(insert(run, OWNER))).isEqualTo(new Landed(List.of(), List.of()));

    assertThat(stored(run).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(holders()).containsExactly(run.number());
    assertThat(line()).isEmpty();
  }

  @Test
  void without_a_free_slot_the_run_is_queued_and_nothing_else_of_its_group_is_written() {
    NewRun first = started("A", ONE);
    NewRun second = gated("B", ONE);
    Intent intent = create(second, "B");

    GroupAnswer answer = commit(insert(second, OWNER, intent.claim()));

    assertThat(answer)
        .isEqualTo(new Queued(new Answer.Queued(first.id().toString(), List.of()), List.of()));
    assertThat(stored(second).status()).isEqualTo(RunStatus.QUEUED);
    assertThat(stored(second).owner()).isNull();
    assertThat(stored(second).dueAt()).isNull();
    assertThat(store.effects(EffectFilter.of(TENANT))).isEmpty();
    assertThat(store.journal(second.number()))
        .singleElement()
        .satisfies(row -> assertThat(row.readEntries()).containsExactly(new RunEntry.Queued(ONE)));
    assertThat(due()).isEmpty();
    assertThat(line()).containsExactly(second.number());
  }

  @Test
  void the_end_of_a_run_lets_the_next_one_in_by_the_same_commit_in_order_of_arrival() {
    NewRun first = started("A", ONE);
    NewRun second = queued("B", ONE);
    NewRun third = queued("C", ONE);

    Landed ended = land(next(first, SUCCEEDED));

    assertThat(ended.woken()).containsExactly(second.number());
    assertThat(holders()).containsExactly(second.number());
    assertThat(line()).containsExactly(third.number());
    assertThat(due()).containsExactly(second.number());
    assertThat(stored(second).status()).isEqualTo(RunStatus.QUEUED);
  }

  @Test
  void the_runs_of_one_group_wait_in_the_order_of_their_changes() {
    started("A", ONE);
    NewRun last = gated("B", ONE);
    NewRun middle = gated("C", ONE);
    NewRun next = gated("D", ONE);

    land(always(new Change.Spawn(next), new Change.Spawn(middle), new Change.Spawn(last)));

    assertThat(line()).containsExactly(next.number(), middle.number(), last.number());
  }

  @Test
  void a_run_waits_behind_those_that_a_node_with_a_faster_clock_let_in_before() {
    started("A", ONE);
    NewRun first = gated("B", ONE);
    NewRun second = gated("C", ONE);
    long ahead = nextNumber() + (1L << 40);

    land(Group.always(ahead, now, List.of(new Change.Spawn(first))));
    land(always(new Change.Spawn(second)));

    assertThat(line()).containsExactly(first.number(), second.number());
  }

  @Test
  void it_is_held_through_waits_and_by_the_node_that_adopts_the_run() {
    NewRun first = started("A", ONE);
    queued("B", ONE);

    land(next(first, new Change.Release(RunStatus.WAITING, null)));
    store.heartbeat(NodeReport.of(OTHER_OWNER));

    assertThat(holders()).containsExactly(first.number());
  }

  @Test
  void a_quarantined_run_keeps_its_slot_until_it_ends() {
    NewRun first = started("A", ONE);
    NewRun second = queued("B", ONE);
    Failure why = Failure.of("quarantined", "it ends processes", false);

    assertThat(land(next(first, new Change.Quarantine(why))).woken()).isEmpty();
    store.heartbeat(NodeReport.of(OTHER_OWNER));
    NewRun third = queued("C", ONE);

    assertThat(holders()).containsExactly(first.number());
    assertThat(due()).isEmpty();
    Landed ended = land(quarantined(first, new Change.End(RunStatus.CANCELED, null, null)));
    assertThat(ended.woken()).containsExactly(second.number());
    assertThat(holders()).containsExactly(second.number());
    assertThat(line()).containsExactly(third.number());
  }

  @Test
  void a_resumed_run_has_the_slot_that_it_had() {
    NewRun first = started("A", ONE);
    NewRun second = queued("B", ONE);
    Failure why = Failure.of("quarantined", "it ends processes", false);
    land(next(first, new Change.Quarantine(why)));

    Landed resumed = land(quarantined(first, new Change.Resume(RunStatus.QUEUED)));

    assertThat(resumed.woken()).containsExactly(first.number());
    assertThat(holders()).containsExactly(first.number());
    assertThat(line()).containsExactly(second.number());
  }

  @Test
  void a_wake_up_for_another_reason_does_not_let_a_queued_run_in() {
    started("A", ONE);
    NewRun second = queued("B", ONE);

    Landed woken = land(notEnded(second, new Change.Wake()));

    assertThat(woken.woken()).isEmpty();
    assertThat(due()).isEmpty();
  }

  @Test
  void a_queued_run_can_be_canceled_and_gives_its_place_back() {
    NewRun first = started("A", ONE);
    NewRun second = queued("B", ONE);
    NewRun third = queued("C", ONE);

    Landed asked = land(notEnded(second, new Change.RequestCancel(new Run.Cancel("ann", null))));
    land(withoutEntries(unowned(second, 1, new Change.Take(OWNER))));
    land(owned(second, 1, new Change.End(RunStatus.CANCELED, null, null)));

    assertThat(asked.woken()).containsExactly(second.number());
    assertThat(line()).containsExactly(third.number());
    assertThat(land(next(first, SUCCEEDED)).woken()).containsExactly(third.number());
  }

  @Test
  void the_timeout_of_a_queued_run_goes_on() {
    started("A", ONE);
    Instant until = later(Duration.ofSeconds(5));
    NewRun second = gated("B", ONE, 1, until);

    var answer = (Queued) commit(insert(second, OWNER));

    assertThat(answer.woken()).containsExactly(second.number());
    assertThat(stored(second).dueAt()).isEqualTo(until);
    now = until;
    assertThat(due()).containsExactly(second.number());
  }

  @Test
  void reject_makes_no_run_and_leaves_the_key_unused() {
    Gate gate = new Gate(null, 1, Overflow.REJECT);
    NewRun first = started("A", gate);
    NewRun second = gated("B", gate);
    Group group = insert(second, OWNER);

    assertThat(commit(group)).isEqualTo(new Busy(first.id().toString()));

    assertThat(store.find(second.id())).isNull();
    assertThat(store.journal(second.number())).isEmpty();
    land(next(first, SUCCEEDED));
    assertThat(commit(group)).isEqualTo(new Landed(List.of(), List.of()));
    assertThat(holders()).containsExactly(second.number());
  }

  @Test
  void a_duplicate_is_found_before_the_gate_is_asked() {
    NewRun first = started("A", new Gate(null, 1, Overflow.REJECT));
    NewRun again = gated("A", new Gate(null, 1, Overflow.REJECT));

    assertThat(commit(insert(again, OWNER))).isEqualTo(new Exists(stored(first)));
  }

  @Test
  void cancel_running_asks_the_older_ones_and_the_newest_waits() {
    Gate gate = new Gate("customer-7", 1, Overflow.CANCEL_RUNNING);
    NewRun first = started("A", gate);
    NewRun second = gated("B", gate);
    NewRun third = gated("C", gate);

    var one = (Queued) commit(insert(second, OWNER));
    var two = (Queued) commit(insert(third, OWNER));

    assertThat(one.answer().displaced()).containsExactly(first.number());
    assertThat(two.answer().displaced()).containsExactly(second.number());
    assertThat(two.woken()).containsExactly(second.number());
    assertThat(stored(first).cancel()).isNotNull();
    assertThat(stored(second).cancel()).isNotNull();
    assertThat(stored(third).cancel()).isNull();
    assertThat(holders()).containsExactly(first.number());
  }

  @Test
  void with_a_larger_limit_cancel_running_keeps_as_many_of_the_newest() {
    Gate gate = new Gate("customer-7", 2, Overflow.CANCEL_RUNNING);
    NewRun first = started("A", gate);
    NewRun second = started("B", gate);

    var third = (Queued) commit(insert(gated("C", gate), OWNER));
    var fourth = (Queued) commit(insert(gated("D", gate), OWNER));

    assertThat(third.answer().displaced()).containsExactly(first.number());
    assertThat(fourth.answer().displaced()).containsExactly(second.number());
  }

  @Test
  void other_keys_flows_and_tenants_have_lines_of_their_own() {
    started("A", ONE);

    assertThat(commit(insert(gated("B", new Gate("customer-8", 1, Overflow.QUEUE)), OWNER)))
        .isInstanceOf(Landed.class);
    assertThat(commit(insert(gated("C", new Gate(null, 1, Overflow.QUEUE)), OWNER)))
        .isInstanceOf(Landed.class);
    assertThat(commit(insert(withGate(newRun("globex", FLOW, "A", "1"), ONE, 1, null), OWNER)))
        .isInstanceOf(Landed.class);
    assertThat(commit(insert(withGate(newRun(TENANT, "other", "A", "1"), ONE, 1, null), OWNER)))
        .isInstanceOf(Landed.class);
  }

  @Test
  void a_newer_release_that_raises_the_limit_lets_in_who_waits_before_itself() {
    started("A", ONE);
    NewRun second = queued("B", ONE);
    NewRun third = gated("C", new Gate("customer-7", 3, Overflow.QUEUE), 2, null);

    assertThat(commit(insert(third, OWNER)))
        .isEqualTo(new Landed(List.of(), List.of(second.number())));

    assertThat(holders()).hasSize(3);
  }

  @Test
  void a_newer_release_that_lowers_the_limit_lets_no_run_in_until_enough_have_ended() {
    Gate two = new Gate("customer-7", 2, Overflow.QUEUE);
    NewRun first = started("A", two);
    NewRun second = started("B", two);
    NewRun third = gated("C", ONE, 2, null);
    commit(insert(third, OWNER));

    assertThat(land(next(first, SUCCEEDED)).woken()).isEmpty();
    assertThat(commit(insert(gated("D", two), OWNER))).isInstanceOf(Queued.class);
    assertThat(land(next(second, SUCCEEDED)).woken()).containsExactly(third.number());
    assertThat(holders()).containsExactly(third.number());
  }

  @Test
  void a_retry_passes_the_same_gate() {
    NewRun first = started("A", ONE);
    land(next(first, new Change.End(RunStatus.FAILED, null, null)));
    NewRun second = started("B", ONE);

    Landed reopened = land(unowned(first, 1, new Change.Reopen(null, null, null)));

    assertThat(reopened.answers())
        .containsExactly(new Answer.Queued(second.id().toString(), List.of()));
    assertThat(reopened.woken()).isEmpty();
    assertThat(stored(first).status()).isEqualTo(RunStatus.QUEUED);
    assertThat(stored(first).dueAt()).isNull();
    assertThat(land(next(second, SUCCEEDED)).woken()).containsExactly(first.number());
  }

  @Test
  void a_retry_with_a_free_slot_is_due_at_once() {
    NewRun first = started("A", ONE);
    land(next(first, new Change.End(RunStatus.FAILED, null, null)));

    Landed reopened = land(unowned(first, 1, new Change.Reopen(null, null, null)));

    assertThat(reopened).isEqualTo(new Landed(List.of(), List.of(first.number())));
    assertThat(holders()).containsExactly(first.number());
  }

  @Test
  void a_retry_that_is_rejected_leaves_the_run_as_it_was() {
    Gate gate = new Gate(null, 1, Overflow.REJECT);
    NewRun first = started("A", gate);
    land(next(first, new Change.End(RunStatus.FAILED, null, null)));
    NewRun second = started("B", gate);

    assertThat(commit(unowned(first, 1, new Change.Reopen(null, null, null))))
        .isEqualTo(new Busy(second.id().toString()));

    assertThat(stored(first).status()).isEqualTo(RunStatus.FAILED);
    assertThat(store.journal(first.number())).hasSize(1);
  }

  @Test
  void a_corrected_input_may_lead_to_another_gate() {
    NewRun first = started("A", ONE);
    land(next(first, new Change.End(RunStatus.FAILED, null, null)));
    Gate other = new Gate("customer-8", 1, Overflow.QUEUE);
    NewRun second = started("B", other);

    land(unowned(first, 1, new Change.Reopen("2", Fingerprint.of("2"), null, other, null)));

    assertThat(holders()).containsExactly(second.number());
    assertThat(line()).containsExactly(first.number());
  }

  @Test
  void a_spawned_run_waits_for_its_slot_and_is_never_refused() {
    NewRun first = started("A", new Gate(null, 1, Overflow.REJECT));
    NewRun second = gated("B", new Gate(null, 1, Overflow.REJECT));

    Landed spawned = land(always(new Change.Spawn(second)));

    assertThat(spawned.answers()).containsExactly(new Answer.Spawned(second.number(), true, true));
    assertThat(spawned.woken()).isEmpty();
    assertThat(line()).containsExactly(second.number());
    assertThat(land(next(first, SUCCEEDED)).woken()).containsExactly(second.number());
  }

  @Test
  void a_child_takes_no_slot() {
    NewRun parent = started("A", ONE);
    NewRun child = gated("A/child", ONE).withoutGate();

    assertThat(land(next(parent, new Change.Spawn(child))).woken()).containsExactly(child.number());

    assertThat(holders()).containsExactly(parent.number());
  }

  @Test
  void a_batch_that_is_submitted_again_answers_the_same_and_takes_one_slot() {
    NewRun first = gated("A", ONE);
    NewRun second = gated("B", ONE);
    Group one = insert(first, OWNER);
    Group two = insert(second, OWNER);

    List<GroupAnswer> heard = commit(one, two);
    List<GroupAnswer> again = commit(one, two);

    assertThat(again).isEqualTo(heard);
    assertThat(holders()).containsExactly(first.number());
    assertThat(line()).containsExactly(second.number());
    Group end = next(first, SUCCEEDED);
    land(end);
    land(end);
    assertThat(holders()).containsExactly(second.number());
  }

  @Test
  void without_room_in_memory_the_run_is_queued_with_or_without_a_slot() {
    NewRun first = gated("A", ONE);
    NewRun second = gated("B", ONE);

    commit(group(new Head.Insert(first, null), null));
    Group group = group(new Head.Insert(second, null), null);
    GroupAnswer heard = commit(group);

    assertThat(due()).containsExactly(first.number());
    assertThat(heard).isInstanceOf(Queued.class);
    assertThat(commit(group)).isEqualTo(heard);
  }

  private NewRun started(String key, Gate gate) {
    NewRun run = gated(key, gate);
    land(withoutEntries(insert(run, OWNER)));
    return run;
  }

  private NewRun queued(String key, Gate gate) {
    NewRun run = gated(key, gate);
    assertThat(commit(insert(run, OWNER))).isInstanceOf(Queued.class);
    return run;
  }

  private NewRun gated(String key, Gate gate) {
    return gated(key, gate, 1, null);
  }

  private NewRun gated(String key, Gate gate, int release, @Nullable Instant timeoutAt) {
    return withGate(newRun(key), gate, release, timeoutAt);
  }

  private static NewRun withGate(NewRun run, Gate gate, int release, @Nullable Instant timeoutAt) {
    return new NewRun(
            run.number(),
            RunId.of(run.tenant(), run.flow(), run.key(), null),
            run.tenant(),
            run.flow(),
            release,
            run.key(),
            run.fingerprint(),
            run.input(),
            timeoutAt)
        .through(gate);
  }

  private List<Long> holders() {
    return store.holds(TENANT, null).stream().filter(Hold::isHeld).map(Hold::run).toList();
  }

  private List<Long> line() {
    return store.holds(TENANT, null).stream()
        .filter(hold -> !hold.isHeld())
        .map(Hold::run)
        .toList();
  }
}
