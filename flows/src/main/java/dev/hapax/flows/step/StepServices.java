package dev.hapax.flows.step;

import dev.hapax.flow.Flow;
import dev.hapax.flow.NotApplied;
import dev.hapax.flow.SqlDatabase;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.connection.Redaction;
import dev.hapax.flows.connection.WayOut;
import dev.hapax.time.Clock;
import dev.hapax.time.RandomSource;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The services that steps need.
 *
 * @param handlers of {@code call} steps by name; null if there is none
 * @param flows other flows by name, for child runs; null if there is none
 * @param callbackUrl in front of a callback's token
 * @param approvalUrl in front of a link to an approval
 * @param limits receives every connection before it is used
 * @param valueBytes the size of the largest value
 * @param isDraft whether nothing is sent: each effect is recorded with its request, and its result
 *     is the step's sample
 * @param format of the release that uses them
 * @param visits hears which steps ran; null if nothing wants to know
 * @param spend the account of model calls
 * @param modelCalls hears of each call of a model; null if nothing wants to know
 */
public record StepServices(
    Connections connections,
    WayOut wayOut,
    Redaction redaction,
    Function<String, @Nullable Handler> handlers,
    Function<String, @Nullable Flow<?, ?>> flows,
    String callbackUrl,
    String approvalUrl,
    Consumer<Connection> limits,
    int valueBytes,
    boolean isDraft,
    FlowFormat format,
    Clock clock,
    RandomSource random,
    @Nullable Consumer<StepVisit> visits,
    ModelSpend spend,
    @Nullable Consumer<ModelCall> modelCalls) {

  /** Returns the same services for drafts, which have their own flows. */
  public StepServices forDrafts(Function<String, @Nullable Flow<?, ?>> drafts) {
    return new StepServices(
        connections,
        wayOut,
        redaction,
        handlers,
        drafts,
        callbackUrl,
        approvalUrl,
        _ -> {},
        valueBytes,
        true,
        format,
        clock,
        random,
        visits,
        spend,
        modelCalls);
  }

  /** Returns the same services for releases of this format. */
  public StepServices in(FlowFormat other) {
    return new StepServices(
        connections,
        wayOut,
        redaction,
        handlers,
        flows,
        callbackUrl,
        approvalUrl,
        limits,
        valueBytes,
        isDraft,
        other,
        clock,
        random,
        visits,
        spend,
        modelCalls);
  }

  /** Reports what became of a step. */
  public void visited(String flow, String step, StepVisit.Outcome outcome) {
    if (visits != null) {
      visits.accept(new StepVisit(flow, step, outcome));
    }
  }

  /** Removes secrets from a text that people may see. */
  public String redact(String text) {
    return redaction.redact(text);
  }

  /** Returns the engine's destination of a step; it keeps the connection's current limits. */
  String destination(String connection) {
    connections.find(connection).ifPresent(limits);
    return connection;
  }

  /** Returns the database of a connection, for one attempt. */
  SqlDatabase database(String name, Duration timeout) {
    return switch (connection(name, Connection.class)) {
      case Connection.Database given -> given.database();
      case Connection.Postgres postgres -> wayOut.database(postgres, timeout);
      case Connection.Http _,
          Connection.Model _,
          Connection.Webhook _,
          Connection.Smtp _,
          Connection.Ssh _,
          Connection.Kafka _,
          Connection.RabbitMq _,
          Connection.Sqs _ ->
          throw new NotApplied("connection '%s' is not a database".formatted(name));
    };
  }

  /** A missing connection can be added; then the step continues. */
  <C extends Connection> C connection(String name, Class<C> type) {
    Connection found =
        connections
            .use(name)
            .orElseThrow(
                () ->
                    new NotApplied(
                        "there is no connection '%s', or the store is a copy and the connection was not set again: nothing was sent. Set it, and the step continues."
                            .formatted(name)));
    if (!type.isInstance(found)) {
      throw new NotApplied(
          "connection '%s' is %s, expected %s"
              .formatted(name, found.getClass().getSimpleName(), type.getSimpleName()));
    }
    return type.cast(found);
  }
}
