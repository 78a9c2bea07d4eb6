package dev.hapax.testkit.simulation;

import dev.hapax.CatchUp;
import dev.hapax.Hapax;
import dev.hapax.NextInstants;
import dev.hapax.Schedule;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Overlap;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.testkit.promise.ClientCall;
import dev.hapax.testkit.promise.Observation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A schedule, and an operator who pauses it, resumes it and fills in missed instants. */
final class ScheduleFeature implements Feature {
  private static final String NAME = "often";
  private static final String FLOW = "scheduled";
  private static final String KEY = "at-";
  private static final int VISITS = 5;

  private final Outside outside;
  private final Duration period;
  private final CatchUp catchUp;
  private final Overlap overlap;
  private final List<Observation> observations = new ArrayList<>();
  private @Nullable Schedule<Plan> schedule;
  private @Nullable Instant begunAt;

  ScheduleFeature(Outside outside, Duration period, CatchUp catchUp, Overlap overlap) {
    this.outside = outside;
    this.period = period;
    this.catchUp = catchUp;
    this.overlap = overlap;
  }

  static ScheduleFeature draw(Outside outside) {
    Choices choices = outside.with().choices();
    return new ScheduleFeature(
        outside,
        choices.oneOf(Duration.ofHours(12), Duration.ofHours(4)),
        choices.oneOf(CatchUp.LATEST, CatchUp.ALL, CatchUp.ALL, CatchUp.NONE),
        choices.oneOf(
            Overlap.ALLOW, Overlap.ALLOW, Overlap.SKIP, Overlap.QUEUE, Overlap.CANCEL_RUNNING));
  }

  @Override
  public List<Flow<Plan, String>> ownFlows(Body body) {
    Flow<Plan, String> flow = PlannedFlows.builder(FLOW).body(PlannedFlows.body(body));
    schedule =
        Schedule.named(NAME)
            .flow(flow)
            .input(this::plan)
            .at(NextInstants.every(period, Instant.EPOCH))
            .catchUp(catchUp)
            .overlap(overlap);
    return List.of(flow);
  }

  /** Adds the schedule. If the store is full, it tries again later. */
  @Override
  public void opened(Hapax hapax) {
    Schedule<Plan> same = Objects.requireNonNull(schedule);
    while (Client.tell(() -> hapax.schedules().add(same)) == ClientCall.Answer.REFUSED) {
      outside.with().scheduler().sleep(Duration.ofMinutes(1));
    }
    if (begunAt == null) {
      begunAt =
          outside.durable().schedules(UnreliableWorld.TENANT).stream()
              .map(ScheduleRecord::nextAt)
              .filter(Objects::nonNull)
              .findFirst()
              .orElse(null);
    }
  }

  /** Every second run is still open at the next instant, if the schedule has a rule for it. */
  private Plan plan(Instant instant) {
    boolean isLong =
        overlap != Overlap.ALLOW && instant.getEpochSecond() / period.toSeconds() % 2 == 0;
    var step =
        new Plan.PlannedStep(
            isLong ? Plan.Does.SLEEP : Plan.Does.COMPUTE,
            "step-0",
            null,
            "charge",
            "",
            "",
            0,
            isLong ? (int) (period.toSeconds() * 3 / 2) : 1,
            true,
            List.of());
    return new Plan(KEY + instant, List.of(step));
  }

  @Override
  public void begin() {
    outside.with().scheduler().spawn(null, "planner", this::live);
  }

  private void live() {
    Choices choices = outside.with().choices();
    for (int i = 0; i < VISITS; i++) {
      int bound = choices.oneOf(5, 600, 6_000);
      outside.with().scheduler().sleep(Duration.ofSeconds(choices.below(bound)));
      Hapax hapax = outside.machines().hapax();
      int wish = choices.below(overlap == Overlap.ALLOW ? 3 : 2); // a backfill has no rule
      if (hapax != null) {
        observations.add(new Observation.SchedulerTold(Client.tell(() -> ask(hapax, wish))));
      }
    }
  }

  private void ask(Hapax hapax, int wish) {
    switch (wish) {
      case 1 -> hapax.schedules().pause(NAME);
      case 2 -> {
        Instant now = outside.machines().clock().now();
        hapax.schedules().backfill(NAME, now.minus(period.multipliedBy(3)), now.minus(period));
      }
      default -> hapax.schedules().resume(NAME);
    }
  }

  /** Pauses the schedule, which ran until everything else had ended. */
  @Override
  public void finish() {
    Hapax hapax = outside.machines().hapax();
    if (hapax != null) {
      Client.tell(() -> hapax.schedules().pause(NAME));
    }
  }

  @Override
  public List<Observation> observations() {
    List<Observation> all = new ArrayList<>(observations);
    all.add(new Observation.Scheduled(NAME, FLOW, KEY, period, catchUp, overlap, begunAt));
    return all;
  }
}
