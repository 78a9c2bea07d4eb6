package dev.hapax.flows.check;

import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import java.time.Duration;

/**
 * Retries that go on to the end of the destination's window. A key settles a doubt only if the
 * answer can come back inside of the window, so the doubts of the last retries need a person.
 */
final class WindowWithoutLookup implements Rule {
  @Override
  public String id() {
    return "window-without-lookup";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  /** The engine's margin for clocks that differ. */
  private static final Duration MARGIN = Duration.ofMinutes(1);

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      EffectContract effect = step.effect();
      Duration window = effect == null ? null : effect.guard().remembersFor();
      if (effect == null || window == null || effect.guard().lookup() != null) {
        continue;
      }
      Duration within = step.retryPolicy().within();
      Duration needed = within.plus(step.attemptTimeout()).plus(MARGIN);
      if (within.compareTo(window) <= 0 && needed.compareTo(window) > 0) {
        report.add(
            effect.guard().position(),
            "step '%s' retries for %s of the window of %s and has no lookup: a lost answer of the last retries can only be settled by a person"
                .formatted(step.id(), Durations.text(within), Durations.text(window)),
            "Retry for at most %s, or add a lookup: guard: {keyed: {lookup: …}}."
                .formatted(Durations.text(window.minus(needed.minus(within)))));
      }
    }
  }
}
