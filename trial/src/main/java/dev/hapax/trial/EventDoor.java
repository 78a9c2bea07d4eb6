package dev.hapax.trial;

import dev.hapax.Acknowledgement;
import dev.hapax.Hapax;
import dev.hapax.flows.LoadedFlow;

/** Receives deliveries to the webhooks of a flow, as a server does after the signature check. */
@FunctionalInterface
public interface EventDoor {
  Acknowledgement receive(Hapax hapax, LoadedFlow flow, WebhookCall call);

  /** For trials without webhooks. */
  EventDoor CLOSED =
      (_, flow, _) -> {
        throw new TrialStopped(
            "this trial receives no events, so flow '%s' cannot get one"
                .formatted(flow.file().name()));
      };
}
