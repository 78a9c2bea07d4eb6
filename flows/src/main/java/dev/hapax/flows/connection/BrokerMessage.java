package dev.hapax.flows.connection;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message for a broker.
 *
 * @param id the same on every attempt, so that the broker or its readers can recognize a repeat
 * @param type for its readers
 * @param target the topic or the queue
 * @param key by which the broker keeps messages in order; null if it has none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BrokerMessage(
    String id,
    String type,
    String target,
    @Nullable String key,
    Map<String, String> headers,
    byte[] body) {
  /** The header that carries the id. */
  public static final String ID = "hapax-id";

  /** The header that carries the type. */
  public static final String TYPE = "hapax-type";

  /** Begins the names of the headers that only Hapax writes. */
  public static final String RESERVED = "hapax-";
}
