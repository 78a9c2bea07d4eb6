package dev.hapax;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.StoredMessage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message and the state of its delivery.
 *
 * @param number its position in the order of publication
 * @param run the id of the run that delivers it; its history shows every attempt
 * @param problem why it is not delivered; null if there is no known problem
 */
public record Delivery(
    long number,
    OutgoingMessage message,
    String run,
    RunStatus status,
    Instant publishedAt,
    @Nullable String problem) {

  /** Returns the name of the flow whose runs deliver to its destination. */
  public String flow() {
    return StoredMessage.FLOWS + message.destination();
  }

  /** Returns delivered, undelivered or dead; another end of its run has its own word. */
  public String state() {
    if (OutboxFilter.DELIVERED.contains(status)) {
      return "delivered";
    }
    if (OutboxFilter.UNDELIVERED.contains(status)) {
      return "undelivered";
    }
    return OutboxFilter.DEAD.contains(status) ? "dead" : status.word();
  }

  static Delivery of(Run run, boolean hasCourier) {
    OutgoingMessage message = OutgoingMessage.of(run);
    return new Delivery(
        run.number(),
        message,
        run.id().toString(),
        run.status(),
        run.createdAt(),
        problem(run, message, hasCourier));
  }

  private static @Nullable String problem(Run run, OutgoingMessage message, boolean hasCourier) {
    Failure error = run.error();
    if (error != null) {
      return error.code() + ": " + error.message();
    }
    if (run.status() == RunStatus.REVIEW) {
      return "it is unknown whether the message arrived: redeliver it, or settle its effect";
    }
    return hasCourier || run.status().isEnd()
        ? null
        : "it waits: no courier is registered for '%s'".formatted(message.destination());
  }
}
