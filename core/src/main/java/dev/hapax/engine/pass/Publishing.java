package dev.hapax.engine.pass;

import dev.hapax.engine.parts.EngineParts;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Message;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.Step;
import dev.hapax.json.NotSerializable;
import dev.hapax.run.NewRun;
import dev.hapax.run.StoredMessage;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.store.Change;

/**
 * Hands a run's messages to the outbox. Each message has its own run that delivers it; the commit
 * of the publishing step starts that run.
 */
final class Publishing {
  private final Fiber run;
  private final EngineParts parts;

  Publishing(Fiber run, EngineParts parts) {
    this.run = run;
    this.parts = parts;
  }

  /** Adds the message to the next commit, without waiting for its delivery. */
  String publish(Step step, Message message) {
    var identity = run.identity();
    String id = StoredMessage.idFrom(identity.tenant(), identity.id(), step);
    NewRun delivery = delivery(step, message, id);
    refuseUnplanned(step, message, delivery);
    run.add(
        new StepEntry.Published(step, id, message.destination(), delivery.id().toString()),
        new Change.Spawn(delivery, true));
    return id;
  }

  /** A message that is in the outbox already is not delivered again, so no plan has to name it. */
  private void refuseUnplanned(Step step, Message message, NewRun delivery) {
    String refusal =
        run.journal()
            .replay()
            .replays()
            .refusal(
                ReplayPlan.Type.MESSAGE,
                step,
                message.destination(),
                delivery.key(),
                delivery.fingerprint());
    if (refusal != null && parts.store().holder(delivery.id()) == null) {
      throw run.planStale(step, refusal);
    }
  }

  /** A message that cannot be stored leaves no record; a replayed body fails in the same way. */
  private NewRun delivery(Step step, Message message, String id) {
    try {
      return StoredMessage.delivery(id, message, parts.ids().next(), run.identity().tenant());
    } catch (NotSerializable e) {
      throw StepFailures.of(Failure.of(e.code(), String.valueOf(e.getMessage()), false).at(step));
    }
  }
}
