package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.trigger.Cron;
import java.time.DateTimeException;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** A schedule of reconcile that names no times. */
final class ReconcileSchedule implements Rule {
  @Override
  public String id() {
    return "reconcile-schedule";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      EffectContract effect = step.effect();
      EffectContract.Reconcile reconcile = effect == null ? null : effect.reconcile();
      EffectContract.Times times = reconcile == null ? null : reconcile.times();
      if (times != null && !isCron(times.cron())) {
        report.add(
            times.position(),
            "cron of reconcile in step '%s': expected five fields such as '0 3 * * *', got '%s'"
                .formatted(step.id(), times.cron()),
            "Write minute, hour, day of month, month and weekday.");
      }
      if (times != null && !isZone(times.timezone())) {
        report.add(
            times.position(),
            "timezone of reconcile in step '%s': expected a zone such as Europe/Berlin, got '%s'"
                .formatted(step.id(), times.timezone()),
            "Use a name from the IANA time zone database.");
      }
    }
  }

  private static boolean isCron(String text) {
    try {
      Cron.of(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isZone(@Nullable String name) {
    try {
      return name == null || ZoneId.of(name) != null;
    } catch (DateTimeException e) {
      return false;
    }
  }
}
