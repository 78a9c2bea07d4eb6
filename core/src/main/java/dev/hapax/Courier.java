package dev.hapax;

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
}
