package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.CatchUp;
import dev.hapax.NextInstants;
import dev.hapax.Schedule;
import dev.hapax.ScheduleView;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoreBroken;
import dev.hapax.store.Change;
import dev.hapax.store.UnknownCommit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One run per nominal instant, no matter what clocks and processes do. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ScheduleTest extends EngineTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Instant anchor = Instant.EPOCH;
  private final Flow<String, String> report =
      Flow.of("report", String.class, String.class).body((run, input) -> input);

  private Schedule<String> hourly(CatchUp catchUp) {
    return Schedule.named("hourly")
        .flow(report)
        .input(Instant::toString)
        .at(NextInstants.every(HOUR, anchor))
        .catchUp(catchUp);
  }

  /** The nominal instants that have a run, oldest first. */
  private List<String> started() {
    return hapax.runs(hapax.runs()).reversed().stream()
        .filter(run -> run.flow().equals("report"))
        .map(Run::key)
        .toList();
  }

  private Instant next() {
    return view().next().getFirst();
  }

  private ScheduleView view() {
    return hapax.schedules().list().getFirst();
  }

  private static String key(Instant instant) {
    return "schedule/hourly/" + instant;
  }

  @Test
  void each_instant_gets_one_run_under_its_own_key() {
    register(report);
    hapax.schedules().add(hourly(CatchUp.LATEST));
    Instant first = next();

    moveAndAwait(HOUR, () -> started().size() == 1);
    moveAndAwait(HOUR, () -> started().size() == 2);

    assertThat(started()).containsExactly(key(first), key(first.plus(HOUR)));
    assertThat(hapax.run(hapax.id("report", key(first))).input()).contains(first.toString());
    eventually(() -> next().equals(first.plus(HOUR).plus(HOUR)));
    assertThat(view().lastAt()).isEqualTo(first.plus(HOUR));
    assertThat(view().next()).hasSize(5);
  }

  @Test
  void catch_up_none_skips_what_was_missed_and_says_so() {
    assertThat(missThree(CatchUp.NONE)).isEmpty();
    assertThat(view().note()).contains("skipped", "NONE");
  }

  @Test
  void catch_up_latest_runs_the_latest() {
    Instant first = firstOf(CatchUp.LATEST);
    assertThat(missed(CatchUp.LATEST)).containsExactly(key(first.plus(HOUR.multipliedBy(2))));
    assertThat(view().note()).contains("skipped " + first + " to " + first.plus(HOUR));
  }

  @Test
  void catch_up_all_runs_each() {
    Instant first = firstOf(CatchUp.ALL);
    assertThat(missed(CatchUp.ALL))
        .containsExactly(key(first), key(first.plus(HOUR)), key(first.plus(HOUR.multipliedBy(2))));
    assertThat(view().note()).isNull();
  }

  private List<String> missThree(CatchUp catchUp) {
    firstOf(catchUp);
    return missed(catchUp);
  }

  private Instant firstOf(CatchUp catchUp) {
    register(report);
    hapax.schedules().add(hourly(catchUp));
    return next();
  }

  /** No process is there for three instants. */
  private List<String> missed(CatchUp catchUp) {
    Instant first = next();
    process.die();
    time.move(HOUR.multipliedBy(3).plusMinutes(10));
    crash(report);
    hapax.schedules().add(hourly(catchUp));
    eventually(() -> next().isAfter(first.plus(HOUR.multipliedBy(2))));
    return started();
  }

  @Test
  void of_very_many_missed_instants_the_latest_thousand_are_caught_up() {
    firstOf(CatchUp.ALL);
    Instant first = next();
    process.die();
    time.move(HOUR.multipliedBy(1_500));
    crash(report);

    hapax.schedules().add(hourly(CatchUp.ALL));

    eventually(() -> next().isAfter(first.plus(HOUR.multipliedBy(1_498))));
    assertThat(view().note()).contains("skipped " + first);
    assertThat(hapax.run(hapax.id("report", key(view().next().getFirst().minus(HOUR)))))
        .isNotNull();
    assertThat(countOfRuns()).isEqualTo(1_000);
  }

  private long countOfRuns() {
    long count = 0;
    Long before = null;
    while (true) {
      var filter = hapax.runs();
      var page = hapax.runs(new RunFilter(filter.tenant(), "report", null, null, before, 200));
      if (page.isEmpty()) {
        return count;
      }
      count += page.size();
      before = page.getLast().number();
    }
  }

  @Test
  void a_process_that_dies_before_the_commit_leaves_the_instant_to_the_next() {
    Instant first = firstOf(CatchUp.LATEST);
    process.beforeCommit(
        batch -> {
          if (batch.groups().stream()
              .flatMap(group -> group.changes().stream())
              .anyMatch(Change.FireSchedule.class::isInstance)) {
            process.die();
            throw new StoreBroken("the process dies here", null);
          }
        });
    time.move(HOUR);
    moveSteps(10, Duration.ofSeconds(1));

    crash(report);
    hapax.schedules().add(hourly(CatchUp.LATEST));

    eventually(() -> started().size() == 1);
    assertThat(started()).containsExactly(key(first));
  }

  @Test
  void a_process_that_dies_after_the_commit_has_started_it_once() {
    Instant first = firstOf(CatchUp.ALL);
    moveAndAwait(HOUR, () -> started().size() == 1);

    crash(report);
    hapax.schedules().add(hourly(CatchUp.ALL));
    moveSteps(10, Duration.ofSeconds(1));

    assertThat(started()).containsExactly(key(first));
  }

  @Test
  void a_clock_that_was_ahead_and_is_set_right_starts_nothing_early() {
    Instant first = firstOf(CatchUp.ALL);
    time.move(Duration.ofMinutes(10));
    Instant right = time.now();
    time.jumpTo(right.plus(HOUR.multipliedBy(6)));
    moveUntil(Duration.ofMillis(10), () -> started().size() == 6);

    time.jumpTo(right);
    moveSteps(65, Duration.ofMinutes(5));
    crash(report); // the newest time in the store is ahead still
    hapax.schedules().add(hourly(CatchUp.ALL));
    moveSteps(5, Duration.ofMinutes(5));
    assertThat(started()).hasSize(6);

    Instant seventh = first.plus(HOUR.multipliedBy(6));
    moveUntil(Duration.ofMinutes(1), () -> started().size() == 7);
    assertThat(started()).endsWith(key(seventh));
    assertThat(time.now()).isAfterOrEqualTo(seventh);
  }

  @Test
  void a_clock_that_is_set_back_and_forward_again_leaves_nothing_out() {
    Instant first = firstOf(CatchUp.ALL);
    time.jumpTo(first.minus(HOUR.multipliedBy(3)));
    moveSteps(65, Duration.ofMinutes(1)); // more than it was away from the instant
    assertThat(started()).isEmpty();

    time.jumpTo(first.plusSeconds(1));
    moveUntil(Duration.ofMillis(10), () -> started().size() == 1);

    assertThat(started()).containsExactly(key(first));
  }

  @Test
  void a_commit_whose_outcome_is_unknown_starts_it_once() {
    Instant first = firstOf(CatchUp.ALL);
    process.failNextCommit(new UnknownCommit("no answer", new IOException("io")), true);

    moveAndAwait(HOUR, () -> started().size() == 1);
    moveSteps(10, Duration.ofSeconds(1));

    assertThat(started()).containsExactly(key(first));
    assertThat(next()).isEqualTo(first.plus(HOUR));
  }

  @Test
  void paused_it_starts_nothing_and_resumed_it_follows_its_rule() {
    Instant first = firstOf(CatchUp.LATEST);
    hapax.schedules().pause("hourly");
    time.move(HOUR.multipliedBy(2));
    moveSteps(10, Duration.ofSeconds(1));
    assertThat(started()).isEmpty();
    assertThat(view().isPaused()).isTrue();

    hapax.schedules().resume("hourly");

    eventually(() -> started().size() == 1);
    assertThat(started()).containsExactly(key(first.plus(HOUR)));
  }

  @Test
  void a_backfill_starts_what_is_not_there_and_nothing_twice() {
    Instant first = firstOf(CatchUp.LATEST);
    moveAndAwait(HOUR, () -> started().size() == 1);
    Instant from = first.minus(HOUR.multipliedBy(3));

    int started = hapax.schedules().backfill("hourly", from, first);
    int again = hapax.schedules().backfill("hourly", from, first);

    assertThat(started).isEqualTo(3);
    assertThat(again).isZero();
    assertThat(started()).hasSize(4).doesNotHaveDuplicates();
    assertThat(next()).isEqualTo(first.plus(HOUR));
  }

  @Test
  void replaced_it_handles_what_is_due_and_then_follows_the_new_instants() {
    Instant first = firstOf(CatchUp.ALL);
    hapax.schedules().pause("hourly");
    time.move(HOUR);
    Schedule<String> daily =
        Schedule.named("hourly")
            .flow(report)
            .input(Instant::toString)
            .at(NextInstants.every(Duration.ofDays(1), anchor));

    hapax.schedules().replace(daily);
    assertThat(view().isPaused()).isTrue();
    hapax.schedules().resume("hourly");

    eventually(() -> started().size() == 1);
    assertThat(started()).containsExactly(key(first));
    eventually(() -> next().equals(daily.at().after(first)));
  }

  @Test
  void what_was_missed_is_counted() {
    missThree(CatchUp.LATEST);

    eventually(() -> hapax.schedules().missed().equals(Map.of("hourly", 2L))); // after its start
  }

  @Test
  void removed_it_is_gone_and_can_be_added_anew() {
    firstOf(CatchUp.LATEST);

    hapax.schedules().remove("hourly");
    assertThat(hapax.schedules().list()).isEmpty();
    time.move(HOUR);
    moveSteps(10, Duration.ofSeconds(1));

    assertThat(started()).isEmpty();
    hapax.schedules().add(hourly(CatchUp.NONE));
    assertThat(hapax.schedules().list()).hasSize(1);
  }

  @Test
  void a_schedule_whose_code_is_not_here_is_listed_and_starts_nothing() {
    firstOf(CatchUp.LATEST);

    crash(report);
    time.move(HOUR);
    moveSteps(10, Duration.ofSeconds(1));

    assertThat(view().isHere()).isFalse();
    assertThat(started()).isEmpty();
  }

  @Test
  void what_makes_no_sense_is_refused() {
    register(report);
    hapax.schedules().add(hourly(CatchUp.LATEST));

    assertThatThrownBy(() -> hapax.schedules().add(hourly(CatchUp.ALL)))
        .hasMessageContaining("exists already with other settings");
    assertThatThrownBy(() -> Schedule.named("no space"))
        .hasMessageContaining("name of the schedule");
    assertThatThrownBy(() -> NextInstants.every(Duration.ofMillis(5), anchor))
        .hasMessageContaining("a second or more");
    assertThatThrownBy(() -> hapax.schedules().pause("unknown"))
        .hasMessageContaining("no schedule 'unknown'");
    assertThatThrownBy(
            () -> hapax.schedules().backfill("hourly", next(), next().plus(Duration.ofDays(1))))
        .hasMessageContaining("expected a time that has passed");
    assertThatThrownBy(
            () ->
                hapax
                    .schedules()
                    .backfill("hourly", next().minus(Duration.ofDays(9_000)), next().minus(HOUR)))
        .hasMessageContaining("at most 10,000 instants");
    Flow<Order, Receipt> keyed = orders("keyed").body((run, order) -> null);
    assertThatThrownBy(
            () ->
                hapax
                    .schedules()
                    .add(
                        Schedule.named("same")
                            .flow(keyed)
                            .input(order("A-1"))
                            .at(NextInstants.every(HOUR, anchor))))
        .hasMessageContaining("would run once");
    assertThatThrownBy(
            () ->
                hapax
                    .schedules()
                    .add(
                        Schedule.named("backwards")
                            .flow(report)
                            .input("x")
                            .at(instant -> instant.minusSeconds(1))))
        .hasMessageContaining("expected one after");
  }

  @Test
  void a_run_of_a_schedule_succeeds_as_any_other() {
    Instant first = firstOf(CatchUp.LATEST);

    moveAndAwait(HOUR, () -> started().size() == 1);

    eventually(() -> hapax.run(hapax.id("report", key(first))).status() == RunStatus.SUCCEEDED);
  }
}
