package dev.hapax.flows.check;

import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.EffectContract.GuardBlock;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;
import java.time.Duration;

/** Retries that continue after the destination has forgotten the key. */
final class WindowShorterThanRetries implements Rule {
  @Override
  public String id() {
    return "window-shorter-than-retries";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  private static final Duration USUAL = Duration.ofHours(24);

  @Override
  public void check(FlowFile flow, Report report) {
    for (Step step : flow.allSteps()) {
      if (step.effect() == null || !(step.effect().guard() instanceof GuardBlock.Keyed keyed)) {
        continue;
      }
      Duration window = keyed.window() == null ? USUAL : keyed.window();
      Duration within = step.retryPolicy().within();
      if (window.compareTo(within) < 0) {
        report.add(
            keyed.position(),
            "step '%s' retries within %s, but the destination remembers its key for %s only"
                .formatted(step.id(), Durations.text(within), Durations.text(window)),
            "Retry for a shorter time, or set the window that the provider documents: guard: {keyed: {window: …}}.");
      }
    }
  }
}
