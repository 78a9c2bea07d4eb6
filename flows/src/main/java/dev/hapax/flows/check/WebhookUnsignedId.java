package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.trigger.Trigger;
import dev.hapax.flows.trigger.WebhookTrigger;

/** An event id that reads a header without a signature. */
final class WebhookUnsignedId implements Rule {
  @Override
  public String id() {
    return "webhook-unsigned-id";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (Trigger trigger : flow.triggers()) {
      if (trigger instanceof WebhookTrigger webhook && !webhook.replayAllowed()) {
        String unsigned = webhook.unsignedPartOfEvent();
        var event = webhook.event();
        if (unsigned != null && event != null) {
          report.add(
              event.position(),
              "the event id of webhook '%s' reads %s, which the sender does not sign%s; %s is the id instead"
                  .formatted(
                      webhook.path(),
                      unsigned,
                      webhook.verify().scheme().signsOnlyParts() ? " as a whole" : "",
                      webhook.verify().scheme().usualId()),
              "Use a field of the body, or remove event. If different events have equal bodies, write replay: allow.");
        }
      }
    }
  }
}
