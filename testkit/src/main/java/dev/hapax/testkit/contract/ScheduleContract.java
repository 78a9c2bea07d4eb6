package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.run.NewRun;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer.Landed;
import dev.hapax.store.GroupAnswer.Lost;
import java.time.Duration;
import java.time.Instant;
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

  private static ScheduleRecord schedule(String name, Instant next) {
    return new ScheduleRecord(TENANT, name, FLOW, next, null, false, "a note", 0);
  }
}
