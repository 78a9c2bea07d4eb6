package dev.hapax.flows.check;

import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;
import java.time.Duration;

/** A run that is forgotten while its webhook can still be delivered again. */
final class RetentionShorterThanRedelivery implements Rule {
  @Override
  public String id() {
    return "retention-shorter-than-redelivery";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public boolean needsWholeFile() {
    return true;
  }

  /** Stripe retries for three days, Standard Webhooks for a little more than a day. */
  private static final Duration REDELIVERY = Duration.ofDays(3);

  @Override
  public void check(FlowFile flow, Report report) {
    for (Trigger trigger : flow.triggers()) {
      if (trigger instanceof WebhookTrigger webhook && flow.retention().compareTo(REDELIVERY) < 0) {
        report.add(
            webhook.position(),
            "providers deliver a webhook again for up to 3 days, but the flow keeps its runs for %s only"
                .formatted(Durations.text(flow.retention())),
            "Set retention to at least 3d.");
      }
    }
  }
}
