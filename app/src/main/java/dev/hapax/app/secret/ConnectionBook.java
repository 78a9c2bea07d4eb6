package dev.hapax.app.secret;

import dev.hapax.Kv;
import dev.hapax.app.data.Outcome;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.Stored;
import dev.hapax.app.secret.form.ConnectionForm;
import dev.hapax.app.secret.form.ConnectionReader;
import dev.hapax.flows.connection.Connections;
import dev.hapax.flows.connection.CredentialHeaders;
import dev.hapax.json.Json;
import dev.hapax.json.Text;
import dev.hapax.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The connections of all tenants, as they were written. Safe for many threads and nodes. */
public final class ConnectionBook {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private final Records<Saved> connections;
  private final Clock clock;
  private final Supplier<@Nullable Instant> copiedAt;

  /**
   * A connection as it was written.
   *
   * @param form read by {@link ConnectionForm}
   */
  public record Saved(String name, JsonNode form, Instant changedAt, String changedBy) {
    /** Returns it without the values of headers that carry credentials. */
    Saved shown() {
      JsonNode headers = form.at("/http/headers");
      if (headers.propertyNames().stream().noneMatch(CredentialHeaders::contains)) {
        return this;
      }
      JsonNode copy = form.deepCopy();
      ObjectNode masked = (ObjectNode) copy.at("/http/headers");
      headers.propertyNames().stream()
          .filter(CredentialHeaders::contains)
          .forEach(header -> masked.put(header, "[redacted]"));
      return new Saved(name, copy, changedAt, changedBy);
    }
  }

  /**
   * The connections in this map.
   *
   * @param copiedAt when the store became a copy of another: connections written until then lead to
   *     the original's destinations, and are off until they are written again
   */
  public ConnectionBook(Kv map, Clock clock, Supplier<@Nullable Instant> copiedAt) {
    this.connections = new Records<>(map, "connections", Saved.class);
    this.clock = clock;
    this.copiedAt = copiedAt;
  }

  /**
   * Writes a connection.
   *
   * @param version that it must still have, 0 for none; null for any
   * @return the current record, and whether this call wrote it
   */
  public Outcome<Saved> put(
      String tenant, String name, JsonNode form, String actor, @Nullable Long version) {
    refuseUnusable(name, form);
    var saved = new Saved(name, form, clock.now(), actor);
    String key = Records.name(tenant, name);
    if (version != null) {
      return connections.compareAndSet(key, version, saved);
    }
    Outcome<Saved> outcome = connections.putIfAbsent(key, saved);
    for (Stored<Saved> there = outcome.standing(); !outcome.written(); there = outcome.standing()) {
      outcome = connections.compareAndSet(key, there == null ? 0 : there.version(), saved);
    }
    return outcome;
  }

  /** Refuses a connection that could not be written, or not be used. */
  void refuseUnusable(String name, JsonNode form) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name of the connection: expected 1 to 64 letters, digits, '.', '_' or '-' that begin with a letter or digit, got '%s'"
              .formatted(Text.storable(name)));
    }
    ConnectionReader wanted = reader(form);
    wanted.refuseHeaders();
    wanted.connection(name);
  }

  /** Returns the write of a connection that has this version, to be made together with others. */
  Kv.Replacement replacement(
      String tenant, String name, JsonNode form, String actor, long version) {
    return connections.replacement(
        Records.name(tenant, name), version, new Saved(name, form, clock.now(), actor));
  }

  public @Nullable Stored<Saved> get(String tenant, String name) {
    return connections.get(Records.name(tenant, name));
  }

  /** Returns false if there was none. */
  public boolean delete(String tenant, String name) {
    return connections.delete(Records.name(tenant, name));
  }

  /** Returns connections in the order of their names. */
  public List<Saved> list(String tenant, @Nullable String after, int limit) {
    String last = after == null ? null : Records.name(tenant, after);
    return connections.list(Records.name(tenant), last, limit).stream().map(Stored::value).toList();
  }

  /** Returns the connections of one tenant, for its flows. */
  public Connections of(String tenant) {
    return name -> {
      Stored<Saved> found = get(tenant, name);
      return found == null || isOff(found.value())
          ? Optional.empty()
          : Optional.of(reader(found.value().form()).connection(name));
    };
  }

  boolean isOff(Saved saved) {
    Instant copied = copiedAt.get();
    return copied != null && !saved.changedAt().isAfter(copied);
  }

  static ConnectionReader reader(JsonNode form) {
    return new ConnectionReader(Json.read(form.toString(), ConnectionForm.class));
  }
}
