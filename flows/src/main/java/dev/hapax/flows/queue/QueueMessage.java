package dev.hapax.flows.queue;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as the broker has it. Of one that is larger than a consumer takes, only its id, place
 * and size are kept.
 *
 * @param id the broker's coordinates of the message: the same at every delivery, and no other
 *     message of the queue has them; one that cannot be stored is kept as its hash
 * @param key by which the broker keeps messages in order; null if it has none
 * @param place where the broker has it, such as its partition and offset
 * @param body null if the message is too large
 * @param size in bytes, of the key, the headers and the body
 * @param sentAt null if the broker does not know
 * @param isIdentified whether the id stays the same; else the message needs one by an expression
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record QueueMessage(
    String id,
    @Nullable String key,
    Map<String, String> headers,
    Map<String, Object> place,
    byte @Nullable [] body,
    long size,
    @Nullable Instant sentAt,
    boolean isIdentified) {
  /** The most bytes of a message that are read. */
  public static final int LARGEST = 2 << 20;

  public QueueMessage {
    id = MessageId.of(id);
    if (size > LARGEST) {
      key = null;
      headers = Map.of();
      body = null;
    }
  }

  /** A message that the broker itself identifies. */
  public QueueMessage(
      String id,
      @Nullable String key,
      Map<String, String> headers,
      Map<String, Object> place,
      byte @Nullable [] body,
      long size,
      @Nullable Instant sentAt) {
    this(id, key, headers, place, body, size, sentAt, true);
  }

  /** Returns how many bytes a message has. */
  public static long sizeOf(@Nullable String key, Map<String, String> headers, long bodyBytes) {
    long size = bodyBytes + (key == null ? 0 : bytes(key));
    for (Map.Entry<String, String> header : headers.entrySet()) {
      size += bytes(header.getKey()) + bytes(header.getValue());
    }
    return size;
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
