package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;

/** A webhook without the sender's event id. Some senders sign none, so there is none to name. */
final class WebhookWithoutEvent implements Rule {
  @Override
  public String id() {
    return "webhook-without-event";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (Trigger trigger : flow.triggers()) {
      if (trigger instanceof WebhookTrigger webhook
          && webhook.event() == null
          && webhook.verify().scheme().hasSignedId()
          && !webhook.replayAllowed()) {
        report.add(
            webhook.position(),
            "webhook '%s' names no event id, so the hash of the body is the id: a redelivery with any other byte is a new event"
                .formatted(webhook.path()),
            "Add event with the sender's id, for example event: ${event.body.id}.");
      }
    }
  }
}
