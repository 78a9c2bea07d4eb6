package dev.hapax.app.cli.authoring;

import dev.hapax.Acknowledgement;
import dev.hapax.Hapax;
import dev.hapax.app.queue.TrialQueue;
import dev.hapax.app.webhook.TrialDoor;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.trial.EventDoor;
import dev.hapax.trial.QueuedMessage;
import dev.hapax.trial.TrialEvent;
import dev.hapax.trial.WebhookCall;
import org.jspecify.annotations.Nullable;

/** Receives what arrives at flows on trial, by the rules of their triggers. */
public final class TrialTriggers implements EventDoor {
  @Override
  public @Nullable Acknowledgement receive(Hapax hapax, LoadedFlow flow, TrialEvent arrival) {
    return switch (arrival) {
      case WebhookCall call -> TrialDoor.receive(hapax, flow, call);
      case QueuedMessage message -> TrialQueue.receive(hapax, flow, message);
    };
  }
}
