package dev.hapax.app.queue;

import java.time.Instant;
import java.util.Map;

/** A real broker with one empty queue, as the contract uses it. */
interface TestBroker {
  /** The connection of the contract's flows, as {@code PUT /api/connections/broker} takes it. */
  String connection();

  /** The values of the secrets that the connection names. */
  default Map<String, String> secrets() {
    return Map.of();
  }

  /** The members of the trigger that this broker needs, besides connection. */
  String trigger();

  /** Gathers a message; messages of one key keep their order. */
  void send(String key, byte[] body) throws Exception;

  /**
   * Gathers as much of a hostile message as a client of the broker can send.
   *
   * @return whether the broker takes such a message
   */
  boolean sendHostile(HostileMessages.Hostile message) throws Exception;

  /** Sends what was gathered; it is durable when this returns. */
  void flush() throws Exception;

  /** The expression of the order in a message whose bytes are {@code {"order": …}}. */
  String message();

  /** How many messages wait for the group. */
  long waiting() throws Exception;

  /** Whether the group has all messages acknowledged. */
  default boolean isDrained() throws Exception {
    return waiting() == 0;
  }

  /** The time of the broker. */
  default Instant now() throws Exception {
    return Instant.now();
  }

  /** Whether each message is bytes of its sender, which may not be JSON. */
  boolean carriesAnyBytes();

  /** Kills the broker and starts it again, with everything that it has acknowledged. */
  void crash() throws Exception;

  void close() throws Exception;
}
