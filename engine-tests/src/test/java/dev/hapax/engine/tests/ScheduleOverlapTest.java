package dev.hapax.engine.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.CatchUp;
import dev.hapax.NextInstants;
import dev.hapax.Schedule;
import dev.hapax.ScheduleView;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Overlap;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.RunStatus;
import dev.hapax.store.UnknownCommit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The runs of a schedule meet each other, and their flow's limit, by the rule that was given. */
@SuppressWarnings("MemberName") // the names of tests are sentences
class ScheduleOverlapTest extends EngineTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration WORK = Duration.ofMinutes(150);

  private final Flow<String, String> report = flow().body(this::work);

  private static Flow.Builder<String, String> flow() {
    return Flow.of("report", String.class, String.class);
  }

  private String work(RunContext run, String input) {
    run.sleep("work", WORK);
    return input;
  }

  private static Schedule<String> hourly(Flow<String, String> flow, Overlap overlap) {
    return Schedule.named("hourly")
        .flow(flow)
        .input(Instant::toString)
        .at(NextInstants.every(HOUR, Instant.EPOCH))
        .catchUp(CatchUp.ALL)
        .overlap(overlap);
  }

  private Instant begin(Flow<String, String> flow, Overlap overlap) {
    register(flow);
    hapax.schedules().add(hourly(flow, overlap));
    return view().next().getFirst();
  }

  private ScheduleView view() {
    return hapax.schedules().list().getFirst();
  }

  private List<Run> runs() {
    return hapax.runs(hapax.runs()).reversed();
  }

  private List<Instant> instants() {
    return runs().stream()
        .map(run -> Instant.parse(run.key().substring("schedule/hourly/".length())))
        .toList();
  }

  private static Instant hours(Instant first, int count) {
    return first.plus(HOUR.multipliedBy(count));
  }

  /** Moves time in steps. Before each step, everything that is due has happened. */
  private void passUntil(BooleanSupplier holds) {
    for (int steps = 0; !holds.getAsBoolean(); steps++) {
      assertThat(steps).as("steps of ten minutes in vain").isLessThan(100);
      moveAndAwait(Duration.ofMinutes(10), this::isUpToDate);
    }
  }

  private boolean isUpToDate() {
    Instant now = time.ports().clock().now();
    ScheduleView view = view();
    String earlier = view.waitsFor();
    boolean waits = earlier != null && !hapax.run(earlier).status().isEnd();
    boolean hasFired = waits || view.next().getFirst().isAfter(now);
    return hasFired && runs().stream().noneMatch(run -> isToGoOn(run, now));
  }

  private static boolean isToGoOn(Run run, Instant now) {
    Instant due = run.dueAt();
    boolean isDue = due != null && !due.isAfter(now) && !run.status().isEnd();
    return isDue || run.status() == RunStatus.RUNNING;
  }

  @Test
  void allowed_runs_begin_beside_each_other() {
    Instant first = begin(report, Overlap.ALLOW);

    passUntil(() -> runs().size() == 3);

    assertThat(instants()).containsExactly(first, hours(first, 1), hours(first, 2));
    assertThat(view().skipped()).isZero();
  }

  @Test
  void an_instant_that_meets_an_open_run_is_skipped_counted_and_shown() {
    Instant first = begin(report, Overlap.SKIP);

    passUntil(() -> runs().size() == 2);

    assertThat(instants()).containsExactly(first, hours(first, 3));
    eventually(() -> view().skipped() == 2);
    assertThat(view().note())
        .contains("skipped " + hours(first, 2))
        .contains(runs().getFirst().id().toString());
    eventually(() -> hapax.schedules().skipped().equals(Map.of("hourly", 2L)));
    assertThat(hapax.schedules().missed()).isEmpty();
  }

  @Test
  void an_instant_waits_for_the_end_of_the_earlier_run_and_none_is_left_out() {
    Instant first = begin(report, Overlap.QUEUE);

    passUntil(() -> runs().size() == 1);
    passUntil(() -> view().waitsFor() != null);
    assertThat(view().waitsFor()).isEqualTo(runs().getFirst().id().toString());
    passUntil(() -> runs().size() == 4);

    assertThat(instants())
        .containsExactly(first, hours(first, 1), hours(first, 2), hours(first, 3));
    for (int i = 1; i < 4; i++) {
      assertThat(runs().get(i).createdAt()).isAfterOrEqualTo(endOf(runs().get(i - 1)));
    }
    assertThat(view().skipped()).isZero();
    assertThat(view().note()).isNull();
  }

  private static Instant endOf(Run run) {
    return Objects.requireNonNull(run.endedAt());
  }

  @Test
  void instants_that_wait_go_on_waiting_after_a_crash() {
    Instant first = begin(report, Overlap.QUEUE);
    passUntil(() -> view().waitsFor() != null);

    crash(report);
    hapax.schedules().add(hourly(report, Overlap.QUEUE));
    passUntil(() -> runs().size() == 3);

    assertThat(instants()).containsExactly(first, hours(first, 1), hours(first, 2));
    assertThat(runs().get(1).createdAt()).isAfterOrEqualTo(endOf(runs().getFirst()));
  }

  @Test
  void the_earlier_run_is_canceled_and_the_next_one_begins() {
    Instant first = begin(report, Overlap.CANCEL_RUNNING);

    passUntil(() -> runs().size() == 2);

    assertThat(instants()).containsExactly(first, hours(first, 1));
    eventually(() -> runs().getFirst().status() == RunStatus.CANCELED);
    assertThat(Objects.requireNonNull(runs().getFirst().cancel()).actor())
        .isEqualTo("schedule/hourly");
  }

  @Test
  void of_instants_that_are_caught_up_one_begins_if_the_others_are_skipped_or_canceled() {
    assertThat(caughtUp(Overlap.SKIP)).isZero();
  }

  @Test
  void of_instants_that_are_caught_up_the_newest_begins_if_it_would_cancel_the_others() {
    assertThat(caughtUp(Overlap.CANCEL_RUNNING)).isEqualTo(2);
  }

  /** No process is there for three instants; returns which of them got the run. */
  private int caughtUp(Overlap overlap) {
    Instant first = begin(report, overlap);
    process.die();
    time.move(HOUR.multipliedBy(2).plusMinutes(70));
    crash(report);
    hapax.schedules().add(hourly(report, overlap));
    eventually(() -> view().skipped() == 2);
    assertThat(instants()).hasSize(1);
    return (int) Duration.between(first, instants().getFirst()).toHours();
  }

  @Test
  void a_commit_whose_outcome_is_unknown_skips_once() {
    begin(report, Overlap.SKIP);
    passUntil(() -> runs().size() == 1);
    process.failNextCommit(new UnknownCommit("no answer", new IOException("io")), true);

    passUntil(() -> view().skipped() == 1);
    moveSteps(5, Duration.ofSeconds(1));

    assertThat(view().skipped()).isEqualTo(1);
    assertThat(runs()).hasSize(1);
  }

  @Test
  void a_full_limit_that_refuses_also_refuses_the_runs_of_schedules() {
    Flow<String, String> one = flow().concurrency(1, Overflow.REJECT).body(this::work);
    Instant first = begin(one, Overlap.ALLOW);

    passUntil(() -> runs().size() == 2);

    assertThat(instants()).containsExactly(first, hours(first, 3));
    eventually(() -> view().skipped() == 2);
    assertThat(view().note()).contains("overflow is reject");
  }

  @Test
  void a_full_limit_with_a_queue_lets_the_runs_of_schedules_wait_in_line() {
    Flow<String, String> one = flow().concurrency(1, Overflow.QUEUE).body(this::work);
    begin(one, Overlap.ALLOW);

    passUntil(() -> runs().size() == 2);

    assertThat(runs().getLast().status()).isEqualTo(RunStatus.QUEUED);
  }

  @Test
  void a_backfill_starts_all_its_runs_whatever_the_rule_is() {
    Instant first = begin(report, Overlap.SKIP);
    passUntil(() -> runs().size() == 1);

    int started = hapax.schedules().backfill("hourly", first.minus(HOUR.multipliedBy(3)), first);

    assertThat(started).isEqualTo(3);
    assertThat(view().skipped()).isZero();
  }
}
