package dev.hapax;

import java.time.Duration;

/** Delivers messages to one destination. Many threads call it. */
@FunctionalInterface
public interface Courier {
  /**
   * Delivers once. Send the message's id along: the receiver removes repeats by it.
   *
   * <p>A return means that the message was delivered. {@link dev.hapax.flow.NotApplied} means that
   * nothing arrived; the delivery is retried. {@link dev.hapax.flow.Rejected} means that the
   * message will never be accepted. After any other exception the outcome is unknown, and the
   * message is sent again under the same id.
   */
  void deliver(OutgoingMessage message) throws Exception;

  /**
   * Returns how long the receiver of this message removes repeats by its id. A message that is in
   * doubt for longer is not sent again before a person says so.
   *
   * @param usual as the terms of this courier have it
   */
  default Duration remembers(OutgoingMessage message, Duration usual) {
    return usual;
  }
}
