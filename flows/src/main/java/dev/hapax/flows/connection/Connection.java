package dev.hapax.flows.connection;

import dev.hapax.flow.SqlDatabase;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What Hapax knows about an outside system. */
public sealed interface Connection {
  String name();

  /** What it bears. */
  Limits limits();

  /** How a request proves who sends it; the secret is named, never held. */
  sealed interface Auth {
    record None() implements Auth {}

    record Bearer(String secret) implements Auth {}

    record Basic(String user, String secret) implements Auth {}

    /** The secret in a header of this name. */
    record Header(String header, String secret) implements Auth {}
  }

  /**
   * An HTTP service.
   *
   * @param base its address; paths of steps come below it
   * @param headers sent with every request
   * @param privateHosts names or addresses that may lie in private networks
   * @param meanings what its status codes mean if not the usual
   */
  record Http(
      String name,
      URI base,
      Auth auth,
      Map<String, String> headers,
      Idempotency idempotency,
      Duration connectTimeout,
      Set<String> privateHosts,
      StatusMeanings meanings,
      Limits limits)
      implements Connection {

    public static Http of(String name, String base) {
      return new Http(
          name,
          URI.create(base),
          new Auth.None(),
          Map.of(),
          Idempotency.USUAL,
          Duration.ofSeconds(10),
          Set.of(),
          StatusMeanings.USUAL,
          Limits.NONE);
    }

    public Http auth(Auth other) {
      return new Http(
          name, base, other, headers, idempotency, connectTimeout, privateHosts, meanings, limits);
    }

    public Http headers(Map<String, String> other) {
      return new Http(
          name, base, auth, other, idempotency, connectTimeout, privateHosts, meanings, limits);
    }

    public Http idempotency(Idempotency other) {
      return new Http(
          name, base, auth, headers, other, connectTimeout, privateHosts, meanings, limits);
    }

    /** Hosts in private networks that may be reached all the same. */
    public Http privateHosts(String... hosts) {
      return new Http(
          name, base, auth, headers, idempotency, connectTimeout, Set.of(hosts), meanings, limits);
    }

    public Http meanings(StatusMeanings other) {
      return new Http(
          name, base, auth, headers, idempotency, connectTimeout, privateHosts, other, limits);
    }

    /** How long a connection may take to come about; 10 s without it. */
    public Http connectTimeout(Duration time) {
      return new Http(name, base, auth, headers, idempotency, time, privateHosts, meanings, limits);
    }

    /** How fast and how often at once it may be called, and when it is left alone. */
    public Http limits(Limits other) {
      return new Http(
          name, base, auth, headers, idempotency, connectTimeout, privateHosts, meanings, other);
    }
  }

  /** A database of the user. */
  record Database(String name, SqlDatabase database, Limits limits) implements Connection {
    public Database(String name, SqlDatabase database) {
      this(name, database, Limits.NONE);
    }
  }

  /**
   * A PostgreSQL database of the user, reached through {@link Databases}.
   *
   * @param secret the name of the password; null if it asks for none
   */
  record Postgres(
      String name,
      String host,
      int port,
      String database,
      String user,
      @Nullable String secret,
      Postgres.Tls tls,
      Set<String> privateHosts,
      Limits limits)
      implements Connection {

    /** How it is encrypted. */
    public enum Tls {
      /** The certificate must be that of the host. */
      VERIFIED,
      /** Encrypted, with whoever it is. */
      REQUIRED,
      /** Never: for a database on the same machine. */
      NONE
    }
  }

  /**
   * A receiver of published messages, signed after Standard Webhooks.
   *
   * @param secret the name of the signing secret
   */
  record Webhook(
      String name, URI url, @Nullable String secret, Set<String> privateHosts, Limits limits)
      implements Connection {
    public Webhook(String name, URI url, @Nullable String secret, Set<String> privateHosts) {
      this(name, url, secret, privateHosts, Limits.NONE);
    }
  }

  /**
   * A mail server.
   *
   * @param from the sender's address
   * @param user null if it asks for none
   */
  record Smtp(
      String name,
      String host,
      int port,
      Smtp.Tls tls,
      String from,
      @Nullable String user,
      @Nullable String secret,
      Set<String> privateHosts,
      Limits limits)
      implements Connection {
    public Smtp(
        String name,
        String host,
        int port,
        Smtp.Tls tls,
        String from,
        @Nullable String user,
        @Nullable String secret,
        Set<String> privateHosts) {
      this(name, host, port, tls, from, user, secret, privateHosts, Limits.NONE);
    }

    /** When the connection is encrypted. */
    public enum Tls {
      /** From the first byte. */
      IMPLICIT,
      /** After STARTTLS, which is demanded. */
      STARTTLS,
      /** Never: for a server on the same machine. */
      NONE
    }
  }
}
