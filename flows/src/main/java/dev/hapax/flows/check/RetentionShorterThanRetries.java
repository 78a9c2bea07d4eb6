package dev.hapax.flows.check;

import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.time.Duration;

/** A key that is forgotten while it can still be retried. */
final class RetentionShorterThanRetries implements Rule {
  @Override
  public String id() {
    return "retention-shorter-than-retries";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public boolean needsWholeFile() {
    return true;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      Duration within = step.retryPolicy().within();
      if (step.retry() != null && flow.retention().compareTo(within) < 0) {
        report.add(
            step.position(),
            "step '%s' retries within %s, but the flow keeps its runs for %s only"
                .formatted(step.id(), Durations.text(within), Durations.text(flow.retention())),
            "Set retention to at least %s.".formatted(Durations.text(within)));
      }
    }
  }
}
