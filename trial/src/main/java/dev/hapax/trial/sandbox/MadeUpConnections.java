package dev.hapax.trial.sandbox;

import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionKind;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.file.ConnectionUse;
import dev.hapax.flows.file.FlowFile;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
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

  private final Connections known;
  private final Map<String, ConnectionKind> kinds = new HashMap<>();

  public MadeUpConnections(Connections known, Collection<FlowFile> flows) {
    this.known = known;
    for (FlowFile flow : flows) {
      for (ConnectionUse use : flow.uses()) {
        ConnectionKind kind = use.kind();
        if (kind != null) {
          kinds.putIfAbsent(use.connection(), kind);
        }
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
