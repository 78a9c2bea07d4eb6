package dev.hapax.flows.trigger;

import java.util.List;

/** The list of all trigger kinds, in the order of the docs. */
final class TriggerKinds {
  static final List<TriggerForm> ALL =
      List.of(WebhookTrigger.FORM, ScheduleTrigger.FORM, QueueTrigger.FORM);

  private TriggerKinds() {}
}
