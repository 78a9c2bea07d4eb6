package dev.hapax.flows.connection;

import dev.hapax.flow.SqlDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The only way from a flow to the outside: each call makes one attempt. A server uses {@link
 * NetworkWayOut}; a trial of flows uses a stand-in that opens no socket. Safe for many threads.
 */
public interface WayOut extends AutoCloseable {
  /**
   * Sends a request once and returns the answer, with any status.
   *
   * @param connection null if the request has a whole address
   * @param more headers that belong to this attempt, such as its key
   * @param keeper receives a body that is too large for a value; null if the body is needed at any
   *     size
   * @throws dev.hapax.flow.NotApplied if nothing left
   * @throws dev.hapax.flow.Rejected if it must not be sent at all
   * @throws AnswerLost if it may have arrived
   */
  HttpAnswer http(
      Connection.@Nullable Http connection,
      HttpRequest request,
      Map<String, String> more,
      Duration timeout,
      @Nullable LargeBodies keeper)
      throws AnswerLost;

  /**
   * Sends a mail once.
   *
   * @param key makes the Message-ID, the same on every attempt
   * @return the Message-ID
   * @throws IOException if it is unknown whether the server took the mail
   */
  String mail(Connection.Smtp smtp, Mail mail, String key, Duration timeout) throws IOException;

  /** Returns a database, for one attempt. */
  SqlDatabase database(Connection.Postgres connection, Duration timeout);

  /**
   * Carries out an order about a job on another machine, once.
   *
   * @param keeper receives an output that is too large for a value
   * @param isToEnd whether the job is not wanted any more, so that it is canceled
   * @throws dev.hapax.flow.NotApplied if nothing left
   * @throws dev.hapax.flow.Rejected if it must not be sent at all
   * @throws IOException if it is unknown whether it was carried out
   */
  RemoteAnswer remote(
      Connection.Ssh ssh,
      RemoteOrder order,
      Duration timeout,
      LargeBodies keeper,
      BooleanSupplier isToEnd)
      throws IOException;

  /**
   * Publishes a message at a broker, once.
   *
   * @throws dev.hapax.flow.NotApplied if nothing arrived
   * @throws dev.hapax.flow.Rejected if the broker will never take it
   * @throws Exception if it is unknown whether the broker took it
   */
  void publish(Connection connection, BrokerMessage message, Duration timeout) throws Exception;

  /** Tries a connection without any effect. */
  TrialReport test(Connection connection);

  @Override
  void close();
}
