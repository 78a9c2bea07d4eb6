package dev.hapax.trial;

import dev.hapax.Acknowledgement;
import dev.hapax.Hapax;
import dev.hapax.flows.LoadedFlow;
import org.jspecify.annotations.Nullable;

/**
 * Receives what arrives at the triggers of a flow, as a server does: deliveries to webhooks after
 * the signature check, messages of queues after the broker.
 */
@FunctionalInterface
public interface EventDoor {
  /** Returns what became of it; null if the trigger's filter leaves it out. */
  @Nullable Acknowledgement receive(Hapax hapax, LoadedFlow flow, TrialEvent arrival);

  /** For trials without triggers. */
  EventDoor CLOSED =
      (_, flow, _) -> {
        throw new TrialStopped(
            "this trial receives no events, so flow '%s' cannot get one"
                .formatted(flow.file().name()));
      };
}
