package dev.hapax.outbox;

import dev.hapax.run.OutgoingMessage;

/** Brings messages to one destination. Called by many threads. */
@FunctionalInterface
public interface Courier {
  /**
   * Delivers once. The receiver removes repeats by the message's id, which it is to be sent along.
   *
   * <p>Returning means delivered. {@link dev.hapax.flow.NotApplied} means that nothing arrived, and
   * is retried; {@link dev.hapax.flow.Rejected} that it never will; all else leaves it open, and
   * the message is sent again under the same id.
   */
  void deliver(OutgoingMessage message) throws Exception;
}
