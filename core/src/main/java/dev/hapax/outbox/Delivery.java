package dev.hapax.outbox;

import dev.hapax.json.Json;
import dev.hapax.run.Failure;
import dev.hapax.run.OutgoingMessage;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
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

  static Delivery of(Run run, boolean hasCourier) {
    var message = Json.read(run.input(), OutgoingMessage.class);
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
      return "nobody knows whether it arrived: redeliver it, or settle its effect";
    }
    return hasCourier || run.status().isEnd()
        ? null
        : "it waits: no courier is registered for '%s'".formatted(message.destination());
  }
}
