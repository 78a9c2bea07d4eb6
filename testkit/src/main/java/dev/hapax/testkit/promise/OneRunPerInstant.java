package dev.hapax.testkit.promise;

import dev.hapax.CatchUp;
import dev.hapax.flow.Overlap;
import dev.hapax.flow.Run;
import dev.hapax.run.ScheduleRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Schedules: every run belongs to a nominal instant, each instant has one run, and no run begins
 * before its instant. If missed instants are to be caught up, every instant from the first to the
 * last has its run, or is counted as skipped because of another run. No run begins before the
 * earlier one has ended, if the schedule forbids it.
 */
public final class OneRunPerInstant implements Promise {
  /** The clocks of two nodes may differ by so much, and each writes the times of its own. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(1);

  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (var schedule : evidence.observed(Observation.Scheduled.class)) {
      Map<Instant, Run> runs = new TreeMap<>();
      for (Run run : evidence.runs()) {
        if (run.flow().equals(schedule.flow()) && run.key().startsWith(schedule.prefix())) {
          Instant nominal = Instant.parse(run.key().substring(schedule.prefix().length()));
          check(run, nominal, schedule.period(), broken);
          if (runs.put(nominal, run) != null) {
            broken.add("two runs of schedule '%s' for %s".formatted(schedule.name(), nominal));
          }
        }
      }
      boolean startsAll =
          schedule.overlap() == Overlap.ALLOW || schedule.overlap() == Overlap.QUEUE;
      if (schedule.catchUp() == CatchUp.ALL && startsAll) {
        withoutGap(schedule, runs, evidence, broken);
      } else if (schedule.catchUp() == CatchUp.ALL) {
        skippedAreCounted(schedule, runs, evidence, broken);
      }
      if (schedule.overlap() == Overlap.SKIP || schedule.overlap() == Overlap.QUEUE) {
        oneAfterTheOther(List.copyOf(runs.values()), broken);
      }
    }
    return broken;
  }

  private static void oneAfterTheOther(List<Run> runs, List<String> broken) {
    for (int i = 1; i < runs.size(); i++) {
      Run before = runs.get(i - 1);
      Run next = runs.get(i);
      Instant end = before.endedAt();
      if (end == null || next.createdAt().plus(CLOCKS_DIFFER).isBefore(end)) {
        broken.add(
            "run %s began at %s, but run %s of the same schedule ended at %s"
                .formatted(next.key(), next.createdAt(), before.key(), end));
      }
    }
  }

  private static void skippedAreCounted(
      Observation.Scheduled schedule,
      Map<Instant, Run> runs,
      Evidence evidence,
      List<String> broken) {
    for (ScheduleRecord row : evidence.store().schedules(evidence.tenant())) {
      Instant next = row.nextAt();
      Instant first = schedule.begunAt();
      if (next == null || first == null || !row.name().equals(schedule.name())) {
        continue;
      }
      long without = 0;
      for (Instant one = first; one.isBefore(next); one = one.plus(schedule.period())) {
        without += runs.containsKey(one) ? 0 : 1;
      }
      if (without > row.skipped()) {
        broken.add(
            "schedule '%s' has %d instants without a run, but counted %d as skipped"
                .formatted(schedule.name(), without, row.skipped()));
      }
    }
  }

  private static void check(Run run, Instant nominal, Duration period, List<String> broken) {
    if (nominal.toEpochMilli() % period.toMillis() != 0) {
      broken.add("run %s of %s is for no instant of its schedule".formatted(run.id(), nominal));
    }
    if (run.createdAt().isBefore(nominal)) {
      broken.add("run %s of %s began at %s".formatted(run.id(), nominal, run.createdAt()));
    }
  }

  /**
   * Checks from the first instant that the schedule started by itself. Instants that were filled in
   * are earlier.
   */
  private static void withoutGap(
      Observation.Scheduled schedule,
      Map<Instant, Run> runs,
      Evidence evidence,
      List<String> broken) {
    for (ScheduleRecord row : evidence.store().schedules(evidence.tenant())) {
      Instant last = row.lastAt();
      Instant first = schedule.begunAt();
      if (last == null || first == null || !row.name().equals(schedule.name())) {
        continue;
      }
      for (Instant one = last; !one.isBefore(first); one = one.minus(schedule.period())) {
        if (!runs.containsKey(one)) {
          broken.add(
              "schedule '%s' has no run for %s, between its first and its last"
                  .formatted(schedule.name(), one));
        }
      }
    }
  }
}
