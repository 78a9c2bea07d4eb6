package dev.hapax.flows.check;

import dev.hapax.flow.Flow;
import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import java.time.Duration;

/**
 * A key that becomes free while the destination still remembers the first request. The new run
 * sends the effect as a new one, so nothing removes the duplicate.
 */
final class RetentionShorterThanWindow implements Rule {
  @Override
  public String id() {
    return "retention-shorter-than-window";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public boolean needsWholeFile() {
    return true;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    if (flow.afterRetention() != Flow.AfterRetention.NEW) {
      return; // an expired key starts nothing
    }
    for (FlowStep step : flow.allSteps()) {
      EffectContract effect = step.effect();
      Duration window = effect == null ? null : effect.guard().remembersFor();
      if (effect != null && window != null && flow.retention().compareTo(window) < 0) {
        report.add(
            effect.guard().position(),
            "the destination of step '%s' remembers a key for %s, but after %s a start with the same key sends it under another one (afterRetention: new)"
                .formatted(step.id(), Durations.text(window), Durations.text(flow.retention())),
            "Set retention to at least %s, or remove afterRetention."
                .formatted(Durations.text(window)));
      }
    }
  }
}
