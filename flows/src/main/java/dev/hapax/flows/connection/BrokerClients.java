package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import java.time.Duration;

/** Talks to brokers; the way out does not know their protocols. Safe for many threads. */
public interface BrokerClients extends AutoCloseable {
  /** Publishes once; see {@link WayOut#publish}. */
  void publish(Connection connection, BrokerMessage message, Duration timeout) throws Exception;

  /**
   * Logs in at a broker and leaves again.
   *
   * @return what was found there, for people
   */
  String visit(Connection connection, Duration timeout) throws Exception;

  @Override
  void close();

  /** Makes the clients of a way out. */
  @FunctionalInterface
  interface Opening {
    BrokerClients open(WayOut network, BrokerWay way);
  }

  /** For callers without brokers. */
  Opening NONE =
      (_, _) ->
          new BrokerClients() {
            @Override
            public void publish(Connection connection, BrokerMessage message, Duration timeout) {
              throw nowhere(connection);
            }

            @Override
            public String visit(Connection connection, Duration timeout) {
              throw nowhere(connection);
            }

            @Override
            public void close() {}
          };

  private static NotApplied nowhere(Connection connection) {
    return new NotApplied(
        "this process has no clients of brokers, so it cannot use '%s'"
            .formatted(connection.name()));
  }
}
