package dev.hapax.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.flow.RunStatus;
import dev.hapax.run.NewRun;
import dev.hapax.store.Change;
import dev.hapax.store.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which runs are due, and when the engine must look again. */
@SuppressWarnings("MemberName") // the names of tests are sentences
public abstract class DueContract extends StoreContract {

  @Test
  void an_empty_store_has_nothing_due() {
    assertThat(due()).isEmpty();
    assertThat(store.nextDue(null)).isNull();
  }

  @Test
  void the_longest_overdue_comes_first_and_of_equals_the_older_run() {
    NewRun fourth = dueAt("A-1", now.minusSeconds(1));
    NewRun first = dueAt("A-2", now.minusSeconds(60));
    NewRun second = dueAt("A-3", now.minusSeconds(30));
    NewRun third = dueAt("A-4", now.minusSeconds(30));

    assertThat(due())
        .containsExactly(first.number(), second.number(), third.number(), fourth.number());
    assertThat(store.due(null, now, 100).getFirst())
        .isEqualTo(new Due(now.minusSeconds(60), first.number()));
  }

  @Test
  void pages_of_due_runs_hold_each_run_once() {
    for (int i = 0; i < 7; i++) {
      dueAt("A-" + i, now.minusSeconds(i / 3)); // several at one time
    }

    List<Due> paged = new ArrayList<>();
    Due after = null;
    for (int page = 1; page <= 4; page++) {
      paged.addAll(duePage(after));
      after = paged.getLast();
    }

    assertThat(paged).hasSize(7).isEqualTo(store.due(null, now, 100));
    assertThat(duePage(after)).isEmpty();
  }

  @Test
  void a_run_is_due_from_its_time_on() {
    NewRun run = dueAt("A-1", now);

    assertThat(store.due(null, now.minusMillis(1), 10)).isEmpty();
    assertThat(store.due(null, now, 10)).containsExactly(new Due(now, run.number()));
  }

  @Test
  void a_due_time_is_kept_in_milliseconds() {
    NewRun run = dueAt("A-1", now.plusNanos(600_000));

    assertThat(store.due(null, now, 10)).containsExactly(new Due(now, run.number()));
    assertThat(store.nextDue(null)).isEqualTo(now);
    assertThat(store.nextDue(new Due(now, Long.MAX_VALUE))).isNull();
  }

  @Test
  void the_next_due_time_is_the_earliest_whether_past_or_to_come() {
    dueAt("A-1", later(Duration.ofHours(2)));
    dueAt("A-2", later(Duration.ofHours(1)));
    assertThat(store.nextDue(null)).isEqualTo(later(Duration.ofHours(1)));

    dueAt("A-3", now.minusSeconds(1));

    assertThat(store.nextDue(null)).isEqualTo(now.minusSeconds(1));
  }

  @Test
  void the_next_due_time_after_a_run_is_that_of_the_next_run() {
    NewRun first = dueAt("A-1", now);
    NewRun second = dueAt("A-2", now);
    dueAt("A-3", later(Duration.ofHours(1)));

    assertThat(store.nextDue(new Due(now, first.number()))).isEqualTo(now);
    assertThat(store.nextDue(new Due(now, second.number()))).isEqualTo(later(Duration.ofHours(1)));
    assertThat(store.nextDue(new Due(later(Duration.ofDays(1)), first.number()))).isNull();
  }

  @Test
  void a_run_in_memory_one_that_waits_for_no_time_and_one_that_ended_are_not_due() {
    NewRun inMemory = running("A-1");
    land(notEnded(inMemory, new Change.Wake()));
    waiting("A-2");
    NewRun ended = running("A-3");
    land(notEnded(ended, new Change.Wake()));
    land(next(ended, new Change.End(RunStatus.SUCCEEDED, null, null)));

    assertThat(store.due(null, later(Duration.ofDays(1)), 10)).isEmpty();
    assertThat(store.nextDue(null)).isNull();
  }

  @Test
  void a_taken_run_is_due_no_more() {
    NewRun run = dueAt("A-1", now);

    land(withoutEntries(unowned(run, 0, new Change.Take(OWNER))));

    assertThat(due()).isEmpty();
    assertThat(store.nextDue(null)).isNull();
  }

  @Test
  void the_newest_time_is_not_forgotten_give_or_take_ten_seconds() {
    running("A-1");
    now = later(Duration.ofDays(3));
    running("A-2");
    Instant newest = now;
    now = now.minus(Duration.ofDays(1));
    running("A-3");

    assertThat(store.newestAt()).isAfterOrEqualTo(newest.minusSeconds(10));
  }

  private List<Due> duePage(@Nullable Due after) {
    return store.due(after, now, 2);
  }

  private NewRun dueAt(String key, Instant at) {
    NewRun run = running(key);
    land(withoutEntries(next(run, new Change.Release(RunStatus.WAITING, at))));
    return run;
  }
}
