package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Trigger;

/** A webhook that anyone can call. */
final class WebhookNone implements Rule {
  @Override
  public String id() {
    return "webhook-none";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (Trigger trigger : flow.triggers()) {
      if (trigger instanceof Trigger.Webhook webhook
          && webhook.verify().scheme() == Trigger.Scheme.NONE) {
        report.add(
            webhook.verify().position(),
            "webhook '%s' checks no signature: whoever knows its address starts runs"
                .formatted(webhook.path()),
            "Use the sender's scheme: stripe, github, slack, standard-webhooks or hmac, with its secret.");
      }
    }
  }
}
