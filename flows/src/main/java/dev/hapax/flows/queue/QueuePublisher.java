package dev.hapax.flows.queue;

import dev.hapax.flows.connection.BrokerMessage;
import java.time.Duration;

/** Publishes at one broker. Safe for many threads. */
public interface QueuePublisher extends AutoCloseable {
  /**
   * Publishes, and returns when the broker has the message as safely as it keeps messages. The id
   * and the type go along as headers, {@link BrokerMessage#ID} and {@link BrokerMessage#TYPE}.
   *
   * @throws dev.hapax.flow.NotApplied if nothing arrived
   * @throws dev.hapax.flow.Rejected if the broker will never take it
   * @throws Exception if it is unknown whether the broker took it; it is sent again
   */
  void publish(BrokerMessage message, Duration timeout) throws Exception;

  /** Asked after a failure: one that is of no use any more is closed, and another one opened. */
  default boolean isUsable() {
    return false;
  }

  @Override
  void close();
}
