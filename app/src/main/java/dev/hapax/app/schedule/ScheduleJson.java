package dev.hapax.app.schedule;

import dev.hapax.CatchUp;
import dev.hapax.ScheduleView;
import dev.hapax.flow.Overlap;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.trigger.ScheduleTrigger;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as people see it.
 *
 * @param flow that it starts, or whose effects it compares
 * @param reconciles the step whose effects it compares; null if it starts the flow
 * @param cron null if no flow file defines it
 * @param next the next nominal instants
 * @param missed nominal instants that got no run
 * @param skipped nominal instants that got no run because of other runs
 * @param waitsFor the run whose end the next instant waits for
 */
record ScheduleJson(
    String name,
    String flow,
    @Nullable String reconciles,
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

  /** The terms of a schedule in a flow file. */
  record Terms(
      @Nullable String reconciles,
      @Nullable String cron,
      @Nullable String timezone,
      @Nullable String catchUp,
      @Nullable String overlap) {
    static final Terms UNKNOWN = new Terms(null, null, null, null, null);

    static Terms of(ScheduleTrigger trigger) {
      ZoneId zone = trigger.timezone();
      return new Terms(
          null,
          trigger.cron().text(),
          zone == null ? null : zone.getId(),
          trigger.catchUp().name().toLowerCase(Locale.ROOT),
          trigger.overlap().word());
    }

    static Terms of(FlowStep step, EffectContract.Times times) {
      return new Terms(
          step.id(),
          times.cron(),
          times.timezone(),
          CatchUp.LATEST.name().toLowerCase(Locale.ROOT),
          Overlap.SKIP.word());
    }
  }

  static ScheduleJson of(ScheduleView schedule, Terms terms, long missed) {
    return new ScheduleJson(
        schedule.name(),
        ReconcileSchedules.flowOf(schedule),
        terms.reconciles(),
        terms.cron(),
        terms.timezone(),
        terms.catchUp(),
        terms.overlap(),
        schedule.isPaused(),
        schedule.next(),
        schedule.lastAt(),
        missed,
        schedule.skipped(),
        schedule.waitsFor(),
        schedule.note());
  }
}
