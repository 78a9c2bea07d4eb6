package dev.hapax;

import dev.hapax.flow.Erased;
import dev.hapax.flow.Run;
import dev.hapax.json.Json;
import dev.hapax.run.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message as a courier delivers it.
 *
 * @param id the same on every attempt, so that its receiver can recognize a repeat
 * @param json the data as JSON text
 */
public record OutgoingMessage(String id, String destination, String type, String json) {
  static OutgoingMessage of(StoredMessage stored) {
    return new OutgoingMessage(
        stored.id(), stored.destination(), stored.type(), Json.write(stored.data()));
  }

  /** The message that a run delivers. An erased one has its destination left. */
  static OutgoingMessage of(Run delivery) {
    return delivery.isErased()
        ? new OutgoingMessage(
            delivery.id().toString(),
            delivery.flow().substring(StoredMessage.FLOWS.length()),
            Erased.TEXT,
            Erased.JSON)
        : of(Json.read(delivery.input(), StoredMessage.class));
  }

  /** Returns the data read as this type; null if it is null. */
  public <T> @Nullable T read(Class<T> type) {
    return json.equals("null") ? null : Json.read(json, type);
  }
}
