package dev.hapax.flows.check;

import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import java.time.Duration;

/** Retries that continue after the destination has forgotten the key. */
final class WindowShorterThanRetries implements Rule {
  static final String ID = "window-shorter-than-retries";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      EffectContract effect = step.effect();
      Duration window = effect == null ? null : effect.guard().remembersFor();
      Duration within = step.retryPolicy().within();
      if (effect != null && window != null && window.compareTo(within) < 0) {
        report.add(
            effect.guard().position(),
            "step '%s' retries within %s, but the destination remembers the key for %s only"
                .formatted(step.id(), Durations.text(within), Durations.text(window)),
            "Retry for a shorter time, or set the window that the provider documents: guard: {keyed: {window: …}}.");
      }
    }
  }
}
