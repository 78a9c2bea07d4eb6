package dev.hapax.app.queue;

import dev.hapax.Acknowledgement;
import dev.hapax.BatchedEvent;
import dev.hapax.Hapax;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.queue.QueueMessage;
import dev.hapax.flows.trigger.QueueTrigger;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import dev.hapax.trial.QueuedMessage;
import dev.hapax.trial.TrialStopped;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives the messages of a trial of flows by the rules of the trigger. */
public final class TrialQueue {
  private static final int ID_LENGTH = 16;

  private TrialQueue() {}

  /** Returns what became of the message; null if the filter leaves it out. */
  public static @Nullable Acknowledgement receive(
      Hapax hapax, LoadedFlow flow, QueuedMessage message) {
    QueueTrigger trigger = trigger(flow, message);
    var events =
        new MessageEvent(
            flow,
            trigger,
            QueueKey.SOURCE + trigger.nameIn(flow.file().name()),
            bytes -> hapax.resources().put(bytes, MessageBody.CONTENT_TYPE),
            hapax.memory().mostBeside());
    BatchedEvent event = events.read(sent(message)).event();
    return event == null ? null : hapax.inbox().receiveAll(List.of(event)).getFirst();
  }

  private static QueueMessage sent(QueuedMessage message) {
    byte[] body = textOf(message.body()).getBytes(StandardCharsets.UTF_8);
    String id = message.id();
    return new QueueMessage(
        id == null ? idOf(message) : id,
        message.key(),
        message.headers(),
        message.place(),
        body.length > QueueMessage.LARGEST ? null : body,
        body.length,
        null);
  }

  /** The same message again is a repeat, as at a broker. */
  private static String idOf(QueuedMessage message) {
    return HexFormat.of().formatHex(Digest.sha256(message.toString())).substring(0, ID_LENGTH);
  }

  private static String textOf(@Nullable Object body) {
    return switch (body) {
      case null -> "null";
      case String text -> text;
      default -> Json.write(body);
    };
  }

  private static QueueTrigger trigger(LoadedFlow flow, QueuedMessage message) {
    String name = message.queue();
    List<QueueTrigger> found =
        flow.file().triggers().stream()
            .filter(QueueTrigger.class::isInstance)
            .map(QueueTrigger.class::cast)
            .filter(one -> name == null || name.equals(one.nameIn(flow.file().name())))
            .toList();
    if (found.size() != 1) {
      throw new TrialStopped(
          "flow '%s' reads %d queues%s: a message needs exactly one"
              .formatted(
                  flow.file().name(),
                  found.size(),
                  name == null ? "" : " with the name '%s'".formatted(name)));
    }
    return found.getFirst();
  }
}
