package dev.hapax.flows.connection;

import dev.hapax.flow.SqlDatabase;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The configuration of an external system. */
public sealed interface Connection {
  String name();

  /** The limits of the destination. */
  ConnectionLimits limits();

  default ConnectionKind kind() {
    return ConnectionKind.of(this);
  }

  /** Returns the names of the secrets that it uses. */
  default Set<String> secrets() {
    String secret =
        switch (this) {
          case Http http -> http.auth().secret();
          case Webhook webhook -> webhook.secret();
          case Smtp smtp -> smtp.user() == null ? null : smtp.secret();
          case Postgres postgres -> postgres.secret();
          case Database _ -> null;
        };
    return secret == null ? Set.of() : Set.of(secret);
  }

  /** How a request authenticates itself; contains the secret's name, never its value. */
  sealed interface Auth {
    /** The name of the secret; null if there is none. */
    @Nullable String secret();

    record None() implements Auth {
      @Override
      public @Nullable String secret() {
        return null;
      }
    }

    record Bearer(String secret) implements Auth {}

    record Basic(String user, String secret) implements Auth {}

    /** Sends the secret in a header of this name. */
    record Header(String header, String secret) implements Auth {}
  }

  /**
   * An HTTP service.
   *
   * @param base its address; paths of steps are below it
   * @param headers sent with every request
   * @param privateHosts names or addresses that may be in private networks
   * @param meanings the unusual meanings of its status codes
   * @param test a path below the base address that a test of the connection reads; null: the base
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
      ConnectionLimits limits,
      @Nullable String test)
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
          ConnectionLimits.NONE,
          null);
    }

    public Http auth(Auth other) {
      return new Http(
          name,
          base,
          other,
          headers,
          idempotency,
          connectTimeout,
          privateHosts,
          meanings,
          limits,
          test);
    }

    public Http headers(Map<String, String> other) {
      return new Http(
          name,
          base,
          auth,
          other,
          idempotency,
          connectTimeout,
          privateHosts,
          meanings,
          limits,
          test);
    }

    public Http idempotency(Idempotency other) {
      return new Http(
          name, base, auth, headers, other, connectTimeout, privateHosts, meanings, limits, test);
    }

    /** Allows these hosts in private networks. */
    public Http privateHosts(String... hosts) {
      return new Http(
          name,
          base,
          auth,
          headers,
          idempotency,
          connectTimeout,
          Set.of(hosts),
          meanings,
          limits,
          test);
    }

    public Http meanings(StatusMeanings other) {
      return new Http(
          name,
          base,
          auth,
          headers,
          idempotency,
          connectTimeout,
          privateHosts,
          other,
          limits,
          test);
    }

    /** Limits the time to connect; 10 s by default. */
    public Http connectTimeout(Duration time) {
      return new Http(
          name, base, auth, headers, idempotency, time, privateHosts, meanings, limits, test);
    }

    /** Sets the rate, the simultaneous calls and the circuit breaker. */
    public Http limits(ConnectionLimits other) {
      return new Http(
          name,
          base,
          auth,
          headers,
          idempotency,
          connectTimeout,
          privateHosts,
          meanings,
          other,
          test);
    }

    /** Names a path below the base address that a test of the connection reads. */
    public Http test(String path) {
      return new Http(
          name,
          base,
          auth,
          headers,
          idempotency,
          connectTimeout,
          privateHosts,
          meanings,
          limits,
          path);
    }
  }

  /** A user's database. */
  record Database(String name, SqlDatabase database, ConnectionLimits limits)
      implements Connection {
    public Database(String name, SqlDatabase database) {
      this(name, database, ConnectionLimits.NONE);
    }
  }

  /**
   * A user's PostgreSQL database, reached through {@link Databases}.
   *
   * @param secret the name of the password; null if it needs none
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
      ConnectionLimits limits)
      implements Connection {

    /** How it is encrypted. */
    public enum Tls {
      /** The certificate must be the host's. */
      VERIFIED,
      /** Encrypted, but the certificate is not checked. */
      REQUIRED,
      /** Not encrypted: for a database on the same machine. */
      NONE
    }
  }

  /**
   * A receiver of published messages, signed after Standard Webhooks.
   *
   * @param secret the name of the signing secret
   */
  record Webhook(
      String name,
      URI url,
      @Nullable String secret,
      Set<String> privateHosts,
      ConnectionLimits limits)
      implements Connection {
    public Webhook(String name, URI url, @Nullable String secret, Set<String> privateHosts) {
      this(name, url, secret, privateHosts, ConnectionLimits.NONE);
    }
  }

  /**
   * A mail server.
   *
   * @param from the sender's address
   * @param user null if it needs none
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
      ConnectionLimits limits)
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
      this(name, host, port, tls, from, user, secret, privateHosts, ConnectionLimits.NONE);
    }

    /** When the connection is encrypted. */
    public enum Tls {
      /** From the first byte. */
      IMPLICIT,
      /** After STARTTLS, which is required. */
      STARTTLS,
      /** Never: for a server on the same machine. */
      NONE
    }
  }
}
