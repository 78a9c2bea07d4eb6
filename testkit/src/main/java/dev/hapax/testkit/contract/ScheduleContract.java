package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.Overflow;
import dev.hapax.flow.Overlap;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.Gate;
import dev.hapax.run.NewRun;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.journal.Answer.Fired;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** One of two writers moves a schedule's row on, together with the runs that it starts. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class ScheduleContract extends StoreContract {

  @Test
  void a_schedule_is_stored_as_it_was_given() {
    Group put = always(new Change.PutSchedule(schedule("nightly", now), 0));

    land(put);

    assertThat(store.schedules(TENANT))
        .containsExactly(schedule("nightly", now).writtenBy(put.op()));
    assertThat(store.schedules("another")).isEmpty();
  }

  @Test
  void schedules_come_by_name() {
    land(always(new Change.PutSchedule(schedule("b", now), 0)));
    land(always(new Change.PutSchedule(schedule("a", now), 0)));

    assertThat(store.schedules(TENANT)).extracting(ScheduleRecord::name).containsExactly("a", "b");
  }

  @Test
  void of_two_that_move_it_on_one_starts_its_run() {
    Group put = always(new Change.PutSchedule(schedule("nightly", now), 0));
    land(put);
    NewRun mine = newRun("mine");
    NewRun theirs = newRun("theirs");
    var next = schedule("nightly", later(Duration.ofDays(1)));

    var first = commit(always(new Change.PutSchedule(next, put.op()), new Change.Spawn(mine)));
    var second = commit(always(new Change.PutSchedule(next, put.op()), new Change.Spawn(theirs)));

    assertThat(first).isInstanceOf(Landed.class);
    assertThat(second).isEqualTo(new Lost());
    assertThat(store.find(mine.id())).isNotNull();
    assertThat(store.find(theirs.id())).isNull();
  }

  @Test
  void a_batch_that_is_submitted_again_moves_it_on_once() {
    Group put = always(new Change.PutSchedule(schedule("nightly", now), 0));
    land(put);
    NewRun run = newRun("nightly/1");
    var next = schedule("nightly", later(Duration.ofDays(1)));
    Group fire = always(new Change.PutSchedule(next, put.op()), new Change.Spawn(run));

    Landed first = land(fire);
    Landed again = land(fire);

    assertThat(again.answers()).isEqualTo(first.answers());
    assertThat(store.schedules(TENANT)).containsExactly(next.writtenBy(fire.op()));
  }

  @Test
  void a_removal_lands_once_and_not_over_what_another_has_written() {
    Group put = always(new Change.PutSchedule(schedule("nightly", now), 0));
    land(put);
    Group foreign = always(new Change.RemoveSchedule(TENANT, "nightly", put.op() - 1));
    Group remove = always(new Change.RemoveSchedule(TENANT, "nightly", put.op()));

    assertThat(commit(foreign)).isEqualTo(new Lost());
    land(remove);
    land(remove);

    assertThat(store.schedules(TENANT)).isEmpty();
  }

  @Test
  void everything_about_a_schedule_is_stored() {
    var full =
        new ScheduleRecord(
            TENANT, "nightly", FLOW, now, now, true, "a note", 0, "r-1", 7, later(HOUR));
    Group put = always(new Change.PutSchedule(full, 0));

    land(put);

    assertThat(store.schedules(TENANT)).containsExactly(full.writtenBy(put.op()));
  }

  @Test
  void an_instant_is_skipped_while_an_earlier_run_of_the_schedule_is_open() {
    long version = begin();
    NewRun first = newRun("1");
    NewRun second = newRun("2");
    NewRun third = newRun("3");

    Fired both = fire(version, Overlap.SKIP, due(1, first), due(2, second));
    ScheduleRecord row = row();
    end(first);
    Fired later = fire(row.version(), Overlap.SKIP, due(3, third));

    assertThat(both).isEqualTo(new Fired(1, 1));
    assertThat(store.find(first.id())).isNotNull();
    assertThat(store.find(second.id())).isNull();
    assertThat(row.lastRun()).isEqualTo(first.id().toString());
    assertThat(row.lastAt()).isEqualTo(later(HOUR));
    assertThat(row.skipped()).isEqualTo(1);
    assertThat(row.note()).contains("skipped").contains(first.id().toString());
    assertThat(later).isEqualTo(new Fired(1, 0));
    assertThat(row().skipped()).isEqualTo(1);
  }

  @Test
  void instants_that_wait_for_an_earlier_run_begin_after_its_end_one_by_one() {
    long version = begin();
    NewRun first = newRun("1");
    NewRun second = newRun("2");

    fire(version, Overlap.QUEUE, due(1, first));
    Fired waits = fire(row().version(), Overlap.QUEUE, due(2, second));
    ScheduleRecord waiting = row();
    end(first);
    Fired begun = fire(waiting.version(), Overlap.QUEUE, due(2, second));

    assertThat(waits).isEqualTo(new Fired(0, 0));
    assertThat(waiting.nextAt()).isEqualTo(later(HOUR.multipliedBy(2)));
    assertThat(waiting.queuedUntil()).isEqualTo(later(HOUR.multipliedBy(2)));
    assertThat(begun).isEqualTo(new Fired(1, 0));
    assertThat(store.find(second.id())).isNotNull();
    assertThat(row().queuedUntil()).isNull();
  }

  @Test
  void an_earlier_run_is_asked_to_cancel_in_the_commit_that_starts_the_next() {
    long version = begin();
    NewRun first = newRun("1");
    NewRun second = newRun("2");

    fire(version, Overlap.CANCEL_RUNNING, due(1, first));
    Fired next = fire(row().version(), Overlap.CANCEL_RUNNING, due(2, second));

    assertThat(next).isEqualTo(new Fired(1, 0));
    assertThat(Objects.requireNonNull(stored(first).cancel()).reason())
        .contains("cancel-running")
        .contains(second.id().toString());
    assertThat(stored(second).cancel()).isNull();
  }

  @Test
  void an_instant_with_the_key_of_the_open_run_does_not_cancel_it() {
    long version = begin();
    NewRun run = newRun("1");

    fire(version, Overlap.CANCEL_RUNNING, due(1, run));
    Fired same = fire(row().version(), Overlap.CANCEL_RUNNING, due(2, newRun("1")));

    assertThat(same).isEqualTo(new Fired(0, 0));
    assertThat(stored(run).cancel()).isNull();
  }

  @Test
  void at_a_full_gate_that_refuses_an_instant_starts_nothing() {
    long version = begin();
    var gate = new Gate(null, 1, Overflow.REJECT);
    NewRun first = newRun("1").through(gate);
    NewRun second = newRun("2").through(gate);

    Fired both = fire(version, Overlap.ALLOW, due(1, first), due(2, second));

    assertThat(both).isEqualTo(new Fired(1, 1));
    assertThat(store.find(second.id())).isNull();
    assertThat(row().note()).contains("overflow is reject").contains(first.id().toString());
  }

  @Test
  void instants_that_are_submitted_again_answer_the_same_and_write_once() {
    long version = begin();
    NewRun first = newRun("1");
    Group fire = always(change(version, Overlap.SKIP, due(1, first), due(2, newRun("2"))));

    Landed landed = land(fire);
    end(first);
    Landed again = land(fire);

    assertThat(again.answers()).isEqualTo(landed.answers());
    assertThat(row().skipped()).isEqualTo(1);
    assertThat(commit(always(change(version, Overlap.SKIP, due(3, newRun("3"))))))
        .isEqualTo(new Lost());
    assertThat(store.find(newRun("3").id())).isNull();
  }

  private static final Duration HOUR = Duration.ofHours(1);

  private long begin() {
    Group put = always(new Change.PutSchedule(schedule("nightly", later(HOUR)), 0));
    land(put);
    return put.op();
  }

  private ScheduleRecord row() {
    return store.schedules(TENANT).getFirst();
  }

  private Change.Due due(int hours, NewRun run) {
    return new Change.Due(later(HOUR.multipliedBy(hours)), run);
  }

  private Fired fire(long version, Overlap overlap, Change.Due... due) {
    return (Fired) land(always(change(version, overlap, due))).answers().getFirst();
  }

  private Change.FireSchedule change(long version, Overlap overlap, Change.Due... due) {
    Instant last = due[due.length - 1].at();
    return new Change.FireSchedule(
        row().at(last.plus(HOUR), null), version, overlap, List.of(due), last, List.of(), null);
  }

  private void end(NewRun run) {
    land(withoutEntries(unowned(run, 0, new Change.Take(OWNER))));
    land(owned(run, 0, new Change.End(RunStatus.SUCCEEDED, null, null)));
  }

  private static ScheduleRecord schedule(String name, Instant next) {
    return new ScheduleRecord(TENANT, name, FLOW, next, null, false, "a note", 0);
  }
}
