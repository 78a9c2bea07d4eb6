package dev.hapax.flows.queue;

import dev.hapax.flows.connection.Connection;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A kind of broker: it opens consumers and publishers of the connections that it serves. Safe for
 * many threads.
 */
public interface QueueBroker {
  boolean serves(Connection connection);

  /** Returns why it cannot keep to these terms, and what to do; null if it can. */
  @Nullable String problem(QueueTerms terms);

  /**
   * Returns a consumer. It may connect only when it is used.
   *
   * @param memory for brokers that forget the positions of groups
   */
  QueueConsumer open(Connection connection, QueueTerms terms, GroupMemory memory) throws Exception;

  /**
   * Returns a publisher, which is kept while the connection stays the same and it does not fail.
   */
  QueuePublisher publisher(Connection connection) throws Exception;

  /**
   * Logs in and leaves again, without any effect.
   *
   * @return what was found, for people
   */
  String visit(Connection connection, Duration timeout) throws Exception;

  /**
   * Makes a broker whose client library lies in a folder of its own. Such a class is named in
   * {@code META-INF/services} of its jar, and has a constructor without parameters.
   */
  interface Provider {
    QueueBroker open(BrokerServices services);
  }
}
