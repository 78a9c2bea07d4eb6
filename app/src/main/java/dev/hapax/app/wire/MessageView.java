package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.hapax.Delivery;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message in the outbox.
 *
 * @param id the same on every attempt and redelivery, so that the receiver can recognize a repeat
 * @param status of the run that delivers it
 * @param state delivered, undelivered (under way, or without a courier) or dead; canceled, too
 * @param run that delivers it
 * @param problem why it has not arrived; absent if there is no known problem
 * @param data the content; only of a single message
 * @param attempts the newest last, at most 200; only of a single message
 */
public record MessageView(
    String id,
    String destination,
    String type,
    String state,
    String status,
    Instant publishedAt,
    String run,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String problem,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable @JsonRawValue String data,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<HistoryView> attempts) {

  /** Returns the message as a list shows it. */
  public static MessageView of(Delivery delivery) {
    return of(delivery, null, null);
  }

  /** Returns the message with its content and the attempts to deliver it. */
  public static MessageView of(Delivery delivery, List<HistoryView> attempts) {
    return of(delivery, delivery.message().json(), List.copyOf(attempts));
  }

  private static MessageView of(
      Delivery delivery, @Nullable String data, @Nullable List<HistoryView> attempts) {
    return new MessageView(
        delivery.message().id(),
        delivery.message().destination(),
        delivery.message().type(),
        delivery.state(),
        delivery.status().word(),
        delivery.publishedAt(),
        delivery.run(),
        delivery.problem(),
        data,
        attempts);
  }
}
