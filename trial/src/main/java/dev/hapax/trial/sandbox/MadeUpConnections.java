package dev.hapax.trial.sandbox;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.connection.ModelDialect;
import dev.hapax.flows.connection.ModelPrices;
import dev.hapax.flows.file.ConnectionUse;
import dev.hapax.flows.file.FlowFile;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The known connections, and for every other name that a flow uses one that is made up. Nothing is
 * ever connected, so an address is only shown.
 */
public final class MadeUpConnections implements Connections {
  private static final int SMTP_PORT = 465;
  private static final int POSTGRES_PORT = 5432;

  /** A budget needs a price. It is a small one, so that usual budgets hold. */
  private static final ModelPrices PRICES =
      new ModelPrices(
          Map.of(
              "*",
              new ModelPrices.Price(
                  new BigDecimal("0.1"), new BigDecimal("0.01"), new BigDecimal("0.5"))));

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final Connections known;
  private final Map<String, ConnectionKind> kinds = new HashMap<>();

  public MadeUpConnections(Connections known, Collection<FlowFile> flows) {
    this.known = known;
    for (FlowFile flow : flows) {
      for (ConnectionUse use : flow.uses()) {
        use.kinds().stream()
            .findFirst()
            .ifPresent(kind -> kinds.putIfAbsent(use.connection(), kind));
      }
    }
  }

  @Override
  public Optional<Connection> find(String name) {
    return known.find(name).or(() -> Optional.ofNullable(kinds.get(name)).map(k -> of(name, k)));
  }

  private static Connection of(String name, ConnectionKind kind) {
    String host = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".test";
    return switch (kind) {
      case HTTP -> Connection.Http.of(name, "https://" + host);
      case MODEL ->
          Connection.Model.of(name, ModelDialect.OPENAI, "https://" + host + "/v1")
              .prices(PRICES, null);
      case WEBHOOK ->
          new Connection.Webhook(name, URI.create("https://" + host + "/"), null, Set.of());
      case SMTP ->
          new Connection.Smtp(
              name,
              host,
              SMTP_PORT,
              Connection.Smtp.Tls.IMPLICIT,
              "hapax@" + host,
              null,
              null,
              Set.of());
      case SSH ->
          new Connection.Ssh(
              name,
              host,
              Connection.Ssh.USUAL_PORT,
              "sandbox",
              Set.of(),
              null,
              null,
              null,
              CONNECT_TIMEOUT,
              Connection.Ssh.USUAL_KEEP,
              Set.of(),
              ConnectionLimits.NONE);
      case KAFKA ->
          new Connection.Kafka(
              name,
              List.of(new Connection.Kafka.Server(host, Connection.Kafka.USUAL_PORT)),
              Connection.Encryption.VERIFIED,
              null,
              Set.of(),
              ConnectionLimits.NONE);
      case RABBITMQ ->
          new Connection.RabbitMq(
              name,
              host,
              Connection.RabbitMq.USUAL_TLS_PORT,
              "/",
              null,
              null,
              Connection.Encryption.VERIFIED,
              Set.of(),
              ConnectionLimits.NONE);
      case SQS ->
          new Connection.Sqs(
              name,
              "sandbox",
              URI.create("https://" + host),
              "sandbox",
              "sandbox",
              Set.of(),
              ConnectionLimits.NONE);
      case DATABASE ->
          new Connection.Postgres(
              name,
              host,
              POSTGRES_PORT,
              "sandbox",
              "sandbox",
              null,
              Connection.Postgres.Tls.VERIFIED,
              Set.of(),
              ConnectionLimits.NONE);
    };
  }
}
