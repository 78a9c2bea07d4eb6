package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.ScheduleTrigger;
import dev.hapax.flows.trigger.Trigger;

/** A schedule that uses UTC without saying so. */
final class ScheduleWithoutTimezone implements Rule {
  @Override
  public String id() {
    return "schedule-without-timezone";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (Trigger trigger : flow.triggers()) {
      if (trigger instanceof ScheduleTrigger schedule && schedule.timezone() == null) {
        report.add(
            schedule.position(),
            "schedule '%s' has no timezone, so its times are in UTC".formatted(schedule.name()),
            "Add timezone: Europe/Berlin, or timezone: UTC if you want UTC.");
      }
    }
  }
}
