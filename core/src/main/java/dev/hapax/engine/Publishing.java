package dev.hapax.engine;

import dev.hapax.effect.RunPort;
import dev.hapax.flow.Message;
import dev.hapax.json.NotSerializable;
import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.NewRun;
import dev.hapax.run.OutgoingMessage;
import dev.hapax.run.Step;
import dev.hapax.store.Change;

/**
 * Hands a run's messages to the outbox. Each message has its own run that delivers it; the commit
 * of the publishing step starts that run.
 */
final class Publishing {
  private final RunPort run;
  private final EngineParts parts;

  Publishing(RunPort run, EngineParts parts) {
    this.run = run;
    this.parts = parts;
  }

  /** Adds the message to the next commit, without waiting for its delivery. */
  String publish(Step step, Message message) {
    var identity = run.identity();
    String id = OutgoingMessage.idFrom(identity.tenant(), identity.id(), step);
    NewRun delivery = delivery(step, message, id);
    run.add(
        new JournalEntry.Published(step, id, message.destination(), delivery.id().toString()),
        new Change.Spawn(delivery, true));
    return id;
  }

  /** A message that cannot be stored leaves no record; a replayed body fails in the same way. */
  private NewRun delivery(Step step, Message message, String id) {
    try {
      return OutgoingMessage.of(id, message).delivery(parts.ids().next(), run.identity().tenant());
    } catch (NotSerializable e) {
      throw StepFailures.of(
          Failure.of("not-serializable", String.valueOf(e.getMessage()), false).at(step));
    }
  }
}
