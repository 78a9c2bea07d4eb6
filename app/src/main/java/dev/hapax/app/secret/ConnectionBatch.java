package dev.hapax.app.secret;

import dev.hapax.Kv;
import dev.hapax.app.data.Stored;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.secret.form.ConnectionReader;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.Connections;
import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Digest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Connections that are written together with other records, as of a deployment. */
public final class ConnectionBatch {
  private static final int PAGE = 200;

  private final ConnectionBook book;
  private final SecretBindings secrets;
  private final Predicate<Call> mayReachPrivateHosts;

  /**
   * The connections of a server.
   *
   * @param mayReachPrivateHosts whether the caller may open a way into the server's own network
   */
  public ConnectionBatch(
      ConnectionBook book, SecretBindings secrets, Predicate<Call> mayReachPrivateHosts) {
    this.book = book;
    this.secrets = secrets;
    this.mayReachPrivateHosts = mayReachPrivateHosts;
  }

  /**
   * A connection that is to be written, beside the present one.
   *
   * @param hash of its form
   * @param version of the present one; 0 if there is none
   * @param before the present form; null if there is none
   * @param isOff whether the present one is not used until it is written again
   */
  public record Wanted(
      String name,
      JsonNode form,
      String hash,
      long version,
      @Nullable JsonNode before,
      boolean isOff) {
    public boolean isChange() {
      return before == null || isOff || !hash.equals(hashOf(before));
    }

    /** Returns the members that differ, for example {@code /http/base}. */
    public List<String> differences() {
      var found = new TreeSet<String>();
      if (before != null) {
        compare("", before, form, found);
      }
      return List.copyOf(found);
    }
  }

  private static void compare(
      String path, @Nullable JsonNode one, @Nullable JsonNode other, Collection<String> found) {
    if (one == null || other == null || !(one.isObject() && other.isObject())) {
      if (one == null || other == null || !CanonicalJson.of(one).equals(CanonicalJson.of(other))) {
        found.add(path);
      }
      return;
    }
    var names = new TreeSet<>(one.propertyNames());
    names.addAll(other.propertyNames());
    names.forEach(name -> compare(path + "/" + name, one.get(name), other.get(name), found));
  }

  /** Returns the hash of a form, whatever the order of its members. */
  public static String hashOf(JsonNode form) {
    return HexFormat.of().formatHex(Digest.sha256(CanonicalJson.of(form)));
  }

  /** Returns a connection beside the present one of its name; refuses a form that is unusable. */
  public Wanted read(String tenant, String name, JsonNode form) {
    if (!form.isObject()) {
      throw Problem.invalidInput("connection '%s': expected an object".formatted(name));
    }
    try {
      book.refuseUnusable(name, form);
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw Problem.invalidInput(
          message.startsWith("connection ")
              ? message
              : "connection '%s': %s".formatted(name, message));
    }
    Stored<ConnectionBook.Saved> found = book.get(tenant, name);
    return new Wanted(
        name,
        form,
        hashOf(form),
        found == null ? 0 : found.version(),
        found == null ? null : found.value().form(),
        found != null && book.isOff(found.value()));
  }

  /** Refuses a connection that the caller could not write by itself. */
  public void refuseUnlessAllowed(Call call, Wanted wanted) {
    if (!call.actor().may(TokenScope.CONNECTIONS_WRITE)) {
      throw Problem.forbidden(
          "connection '%s' would change: the token needs %s"
              .formatted(wanted.name(), TokenScope.CONNECTIONS_WRITE.word()));
    }
    ConnectionReader form = ConnectionBook.reader(wanted.form());
    if (!form.privateHosts().isEmpty() && !mayReachPrivateHosts.test(call)) {
      throw Problem.forbidden(
          "connection '%s': privateHosts: only an admin of the operator's tenant may open the server's own network"
              .formatted(wanted.name()));
    }
    secrets.refuseUnlessAllowed(call, form);
  }

  /** Returns the connections of a tenant as they are after these were written. */
  public Connections after(Collection<Wanted> wanted) {
    return name ->
        wanted.stream()
            .filter(one -> one.name().equals(name))
            .findFirst()
            .map(one -> ConnectionBook.reader(one.form()).connection(name));
  }

  /** Returns the write of a connection, if it is still as it was read. */
  public Kv.Replacement replacement(Call call, Wanted wanted) {
    return book.replacement(
        call.actor().tenant(), wanted.name(), wanted.form(), call.actor().name(), wanted.version());
  }

  /** Gives the hosts of connections that were written to their secrets; repeated, does nothing. */
  public void written(Call call, Collection<Wanted> wanted) {
    wanted.forEach(one -> secrets.bind(call, ConnectionBook.reader(one.form())));
  }

  /** Returns a connection that flows of a tenant can use now. */
  public Optional<Connection> find(String tenant, String name) {
    return book.of(tenant).find(name);
  }

  /** Returns all connections of a tenant. */
  public List<ConnectionBook.Saved> all(String tenant) {
    var all = new ArrayList<ConnectionBook.Saved>();
    List<ConnectionBook.Saved> page;
    do {
      page = book.list(tenant, all.isEmpty() ? null : all.getLast().name(), PAGE);
      all.addAll(page);
    } while (page.size() == PAGE);
    return all;
  }
}
