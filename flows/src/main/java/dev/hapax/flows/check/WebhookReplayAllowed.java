package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;

/** A webhook that takes a captured delivery as a new one. */
final class WebhookReplayAllowed implements Rule {
  @Override
  public String id() {
    return "webhook-replay-allowed";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (Trigger trigger : flow.triggers()) {
      if (trigger instanceof WebhookTrigger webhook && webhook.replayAllowed()) {
        report.add(
            webhook.position(),
            "webhook '%s' has replay: allow: anyone who captured a delivery can send it again as a new event"
                .formatted(webhook.path()),
            "Remove replay, unless the sender delivers different events with equal bodies; give the flow a key that repeats cannot change.");
      }
    }
  }
}
