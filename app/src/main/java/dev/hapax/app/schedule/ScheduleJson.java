package dev.hapax.app.schedule;

import dev.hapax.ScheduleView;
import dev.hapax.flows.trigger.ScheduleTrigger;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as people see it.
 *
 * @param cron null if no flow file defines it
 * @param next the next nominal instants
 * @param missed nominal instants that got no run
 * @param skipped nominal instants that got no run because of other runs
 * @param waitsFor the run whose end the next instant waits for
 */
record ScheduleJson(
    String name,
    String flow,
    @Nullable String cron,
    @Nullable String timezone,
    @Nullable String catchUp,
    @Nullable String overlap,
    boolean paused,
    List<Instant> next,
    @Nullable Instant lastAt,
    long missed,
    long skipped,
    @Nullable String waitsFor,
    @Nullable String note) {

  static ScheduleJson of(ScheduleView schedule, @Nullable ScheduleTrigger trigger, long missed) {
    ZoneId zone = trigger == null ? null : trigger.timezone();
    return new ScheduleJson(
        schedule.name(),
        schedule.flow(),
        trigger == null ? null : trigger.cron().text(),
        zone == null ? null : zone.getId(),
        trigger == null ? null : trigger.catchUp().name().toLowerCase(Locale.ROOT),
        trigger == null ? null : trigger.overlap().word(),
        schedule.isPaused(),
        schedule.next(),
        schedule.lastAt(),
        missed,
        schedule.skipped(),
        schedule.waitsFor(),
        schedule.note());
  }
}
