package dev.hapax.flows.check;

import dev.hapax.flow.Overlap;
import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.Cron;
import dev.hapax.flows.trigger.ScheduleTrigger;
import dev.hapax.flows.trigger.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A schedule whose next run begins while the one before may still be under way. */
final class ScheduleShorterThanTimeout implements Rule {
  @Override
  public String id() {
    return "schedule-shorter-than-timeout";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public boolean needsWholeFile() {
    return true;
  }

  /** Any Monday at midnight; the distances of a cron expression hardly depend on it. */
  private static final Instant FROM = Instant.parse("2026-01-05T00:00:00Z");

  private static final Duration SEEN = Duration.ofDays(400);
  private static final int MOST_TIMES = 200;

  @Override
  public void check(FlowFile flow, Report report) {
    Duration timeout = flow.timeout();
    if (timeout == null || runsOneAtATime(flow)) {
      return;
    }
    for (Trigger trigger : flow.triggers()) {
      if (!(trigger instanceof ScheduleTrigger schedule) || schedule.overlap() != Overlap.ALLOW) {
        continue;
      }
      Duration interval = shortestInterval(schedule.cron());
      if (interval != null && interval.compareTo(timeout) < 0) {
        report.add(
            schedule.position(),
            "schedule '%s' starts the next run after %s, but a run may take %s: two runs would work at the same time"
                .formatted(schedule.name(), Durations.text(interval), Durations.text(timeout)),
            "Add overlap: skip or overlap: queue to the schedule, or set a timeout of at most %s."
                .formatted(Durations.text(interval)));
      }
    }
  }

  private static boolean runsOneAtATime(FlowFile flow) {
    FlowFile.Concurrency concurrency = flow.concurrency();
    return concurrency != null && concurrency.limit() == 1;
  }

  /** On a clock without changes: the hour that a night in spring lacks is no overlap. */
  private static @Nullable Duration shortestInterval(Cron cron) {
    Duration shortest = null;
    Optional<Instant> at = cron.next(FROM, ZoneOffset.UTC);
    for (int i = 0; i < MOST_TIMES && at.isPresent() && at.get().isBefore(FROM.plus(SEEN)); i++) {
      Optional<Instant> next = cron.next(at.get(), ZoneOffset.UTC);
      if (next.isPresent()) {
        Duration interval = Duration.between(at.get(), next.get());
        shortest = shortest == null || interval.compareTo(shortest) < 0 ? interval : shortest;
      }
      at = next;
    }
    return shortest;
  }
}
