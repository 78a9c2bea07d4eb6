package dev.hapax.testkit.promise;

import dev.hapax.run.Run;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.schedule.CatchUp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Schedules: every run belongs to a nominal instant, each instant has one run, and no run begins
 * before its instant. If missed instants are to be caught up, every instant from the first to the
 * last has its run.
 */
public final class OneRunPerInstant implements Promise {
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
      if (schedule.catchUp() == CatchUp.ALL) {
        withoutGap(schedule, runs, evidence, broken);
      }
    }
    return broken;
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
