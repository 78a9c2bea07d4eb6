package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;

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
      if (trigger instanceof WebhookTrigger webhook
          && webhook.verify().scheme() == WebhookTrigger.Scheme.NONE) {
        report.add(
            webhook.verify().position(),
            "webhook '%s' checks no signature: anyone who knows its address can start runs"
                .formatted(webhook.path()),
            "Use the sender's scheme: stripe, github, slack, standard-webhooks or hmac, with its secret.");
      }
    }
  }
}
