package dev.hapax.app.schedule;

import dev.hapax.flows.file.Trigger;
import dev.hapax.schedule.ScheduleView;
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
 */
record Schedule(
    String name,
    String flow,
    @Nullable String cron,
    @Nullable String timezone,
    @Nullable String catchUp,
    boolean paused,
    List<Instant> next,
    @Nullable Instant lastAt,
    long missed,
    @Nullable String note) {

  static Schedule of(ScheduleView schedule, Trigger.@Nullable Schedule trigger, long missed) {
    ZoneId zone = trigger == null ? null : trigger.timezone();
    return new Schedule(
        schedule.name(),
        schedule.flow(),
        trigger == null ? null : trigger.cron().text(),
        zone == null ? null : zone.getId(),
        trigger == null ? null : trigger.catchUp().name().toLowerCase(Locale.ROOT),
        schedule.isPaused(),
        schedule.next(),
        schedule.lastAt(),
        missed,
        schedule.note());
  }
}
