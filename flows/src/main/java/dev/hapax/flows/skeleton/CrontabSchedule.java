package dev.hapax.flows.skeleton;

import static dev.hapax.flows.skeleton.SkeletonStep.ordered;

import dev.hapax.flows.trigger.Cron;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The time of a line of a crontab, as the schedule of a flow. */
final class CrontabSchedule {
  private static final Map<String, String> WORDS =
      Map.of(
          "@yearly", "0 0 1 1 *",
          "@annually", "0 0 1 1 *",
          "@monthly", "0 0 1 * *",
          "@weekly", "0 0 * * 0",
          "@daily", "0 0 * * *",
          "@midnight", "0 0 * * *",
          "@hourly", "0 * * * *");

  /** The hours in which clocks change somewhere. */
  private static final Pattern NIGHT = Pattern.compile("(.*,)?0?[0-3]([,/-].*)?");

  private final CrontabEntry entry;
  private final CrontabImport.Notes notes;

  CrontabSchedule(CrontabEntry entry, CrontabImport.Notes notes) {
    this.entry = entry;
    this.notes = notes;
  }

  /** Returns the fields of the trigger; none if a schedule cannot say this time. */
  Map<String, Object> trigger(String name, CrontabCommand command) {
    String cron = cron();
    if (cron == null) {
      return Map.of();
    }
    Map<String, Object> schedule = ordered("name", name, "cron", cron);
    ZoneId zone = zone();
    if (zone != null) {
      schedule.put("timezone", zone.getId());
      noteClockChange(cron, zone);
    }
    schedule.put("catchUp", "none");
    schedule.put("overlap", command.isLocked() ? "skip" : "allow");
    schedule.put("input", Map.of("time", "${schedule.time}"));
    notes.add(
        "missed-times",
        "cron makes up for no time that it missed%s"
            .formatted(
                command.isLocked()
                    ? ", and flock skips a time while the last command works"
                    : ", and starts a second command while the first still works"),
        "Keep catchUp: none and overlap as they are, or decide for catchUp: latest and overlap: skip.");
    return schedule;
  }

  private @Nullable String cron() {
    String when = entry.when().toLowerCase(Locale.ROOT);
    String cron = when.startsWith("@") ? WORDS.get(when) : entry.when().toUpperCase(Locale.ROOT);
    if (cron == null) {
      notes.add(
          "schedule",
          "'%s' is not a time that a schedule can have".formatted(entry.when()),
          when.equals("@reboot")
              ? "The flow has no trigger. Start it by the API, or from the unit that starts the machine."
              : "The flow has no trigger. Write five fields.");
      return null;
    }
    try {
      Cron.of(cron);
      return cron;
    } catch (IllegalArgumentException e) {
      notes.add(
          "schedule",
          "'%s' cannot be read as five fields".formatted(entry.when()),
          "The flow has no trigger. Write minute, hour, day of month, month and weekday.");
      return null;
    }
  }

  private @Nullable ZoneId zone() {
    String zone = entry.zone();
    if (zone == null || zone.isBlank()) {
      notes.add(
          "timezone",
          "the crontab names no time zone, so cron used that of its machine",
          "Add timezone to the schedule; without it, the times are in UTC.");
      return null;
    }
    try {
      return ZoneId.of(zone.replaceFirst("^:", ""));
    } catch (DateTimeException e) {
      notes.add(
          "timezone",
          "'%s' is not a time zone of the IANA database".formatted(zone),
          "Add timezone to the schedule, for example Europe/Berlin.");
      return null;
    }
  }

  private void noteClockChange(String cron, ZoneId zone) {
    String hour = cron.split(" ", -1)[1];
    if (!zone.getRules().isFixedOffset() && NIGHT.matcher(hour).matches()) {
      notes.add(
          "clock-change",
          "the time may be in the hour in which clocks change in %s".formatted(zone),
          "Hapax runs a skipped time at the end of the gap and a repeated time once; crons differ."
              + " Move it to another hour if this matters.");
    }
  }
}
