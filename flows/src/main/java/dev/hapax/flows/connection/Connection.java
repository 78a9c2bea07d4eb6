package dev.hapax.flows.connection;

import dev.hapax.flow.SqlDatabase;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    Stream<@Nullable String> secrets =
        switch (this) {
          case Http http -> Stream.of(http.auth().secret());
          case Model model -> Stream.of(model.secret());
          case Webhook webhook -> Stream.of(webhook.secret());
          case Smtp smtp -> Stream.of(smtp.user() == null ? null : smtp.secret());
          case Postgres postgres -> Stream.of(postgres.secret());
          case Ssh ssh -> Stream.of(ssh.key(), ssh.passphrase(), ssh.password());
          case Kafka kafka -> Stream.of(kafka.login() == null ? null : kafka.login().secret());
          case RabbitMq rabbit -> Stream.of(rabbit.secret());
          case Sqs sqs -> Stream.of(sqs.secret());
          case Database _ -> Stream.of();
        };
    return secrets.filter(Objects::nonNull).collect(Collectors.toUnmodifiableSet());
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

    /**
     * Signs the request after AWS Signature Version 4; the secret itself is not sent.
     *
     * @param accessKey the public id of the secret
     */
    record Aws(String accessKey, String secret, String region, String service) implements Auth {}
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

  /**
   * A provider of language models.
   *
   * @param base its address; the paths of the dialect are below it
   * @param secret the name of the credential; null if it needs none
   * @param lengthField the member of a request that limits the answer, in the OpenAI dialect
   * @param perDay what all calls of a day may cost; null if that is not limited
   */
  record Model(
      String name,
      ModelDialect dialect,
      URI base,
      @Nullable String secret,
      Map<String, String> headers,
      String lengthField,
      ModelPrices prices,
      @Nullable BigDecimal perDay,
      Duration connectTimeout,
      Set<String> privateHosts,
      ConnectionLimits limits)
      implements Connection {
    /** The usual {@link #lengthField}. */
    public static final String MAX_TOKENS = "max_tokens";

    public static Model of(String name, ModelDialect dialect, String base) {
      return new Model(
          name,
          dialect,
          URI.create(base),
          null,
          Map.of(),
          MAX_TOKENS,
          ModelPrices.NONE,
          null,
          Duration.ofSeconds(10),
          Set.of(),
          ConnectionLimits.NONE);
    }

    public Model secret(String other) {
      return new Model(
          name,
          dialect,
          base,
          other,
          headers,
          lengthField,
          prices,
          perDay,
          connectTimeout,
          privateHosts,
          limits);
    }

    public Model prices(ModelPrices other, @Nullable BigDecimal mostPerDay) {
      return new Model(
          name,
          dialect,
          base,
          secret,
          headers,
          lengthField,
          other,
          mostPerDay,
          connectTimeout,
          privateHosts,
          limits);
    }

    /** Allows these hosts in private networks. */
    public Model privateHosts(String... hosts) {
      return new Model(
          name,
          dialect,
          base,
          secret,
          headers,
          lengthField,
          prices,
          perDay,
          connectTimeout,
          Set.of(hosts),
          limits);
    }

    /** Returns the service that its requests go to. */
    public Http http() {
      var all = new LinkedHashMap<String, String>(dialect.headers());
      all.putAll(headers);
      return new Http(
          name,
          base,
          secret == null ? new Auth.None() : dialect.auth(secret),
          all,
          Idempotency.NONE,
          connectTimeout,
          privateHosts,
          StatusMeanings.USUAL,
          limits,
          dialect.models());
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

  /**
   * Another machine, reached over SSH.
   *
   * @param hostKeys fingerprints such as {@code SHA256:…}; the machine must prove one of these keys
   * @param key the name of the secret with the private key; null if there is none
   * @param passphrase the name of the secret that opens the private key; null if it is open
   * @param password the name of the secret with the user's password; null if there is none
   * @param keep how long the machine remembers a job that has ended
   */
  record Ssh(
      String name,
      String host,
      int port,
      String user,
      Set<String> hostKeys,
      @Nullable String key,
      @Nullable String passphrase,
      @Nullable String password,
      Duration connectTimeout,
      Duration keep,
      Set<String> privateHosts,
      ConnectionLimits limits)
      implements Connection {
    public static final int USUAL_PORT = 22;
    public static final Duration USUAL_KEEP = Duration.ofDays(30);
  }

  /** How the way to a broker is encrypted. */
  enum Encryption {
    /** TLS; the certificate must be the host's. */
    VERIFIED,
    /** Not encrypted: for a broker on the same machine. */
    NONE
  }

  /**
   * A Kafka cluster.
   *
   * @param servers that are asked first; they name all others
   * @param login null if it needs none
   */
  record Kafka(
      String name,
      List<Kafka.Server> servers,
      Encryption tls,
      Kafka.@Nullable Login login,
      Set<String> privateHosts,
      ConnectionLimits limits)
      implements Connection {
    public static final int USUAL_PORT = 9092;

    /** Host and port of a broker. */
    public record Server(String host, int port) {
      @Override
      public String toString() {
        return host + ":" + port;
      }
    }

    /** A login by SASL; contains the name of the password's secret. */
    public record Login(Mechanism mechanism, String user, String secret) {}

    /** How the password is proven. */
    public enum Mechanism {
      /** It is sent. */
      PLAIN("plain", "PLAIN"),
      SCRAM_SHA_256("scram-sha-256", "SCRAM-SHA-256"),
      SCRAM_SHA_512("scram-sha-512", "SCRAM-SHA-512");

      private final String word;
      private final String wire;

      Mechanism(String word, String wire) {
        this.word = word;
        this.wire = wire;
      }

      /** Returns what people write. */
      public String word() {
        return word;
      }

      /** Returns its name in the protocol. */
      public String wire() {
        return wire;
      }
    }
  }

  /**
   * A RabbitMQ broker.
   *
   * @param user null if it is the broker's guest
   * @param secret the name of the password; null if the user is null
   */
  record RabbitMq(
      String name,
      String host,
      int port,
      String vhost,
      @Nullable String user,
      @Nullable String secret,
      Encryption tls,
      Set<String> privateHosts,
      ConnectionLimits limits)
      implements Connection {
    public static final int USUAL_PORT = 5672;
    public static final int USUAL_TLS_PORT = 5671;
  }

  /**
   * Queues of Amazon SQS, or of a service that speaks its protocol.
   *
   * @param endpoint the address of the service
   * @param accessKey the id of the key that signs
   * @param secret the name of the secret key, which signs and is never sent
   */
  record Sqs(
      String name,
      String region,
      URI endpoint,
      String accessKey,
      String secret,
      Set<String> privateHosts,
      ConnectionLimits limits)
      implements Connection {
    /** How long a FIFO queue removes repeats of a message by its id. */
    public static final Duration REPEATS_REMOVED = Duration.ofMinutes(5);

    /** Whether a queue keeps messages in order and removes repeats, which its name says. */
    public static boolean isFifo(String queue) {
      return queue.endsWith(".fifo");
    }
  }
}
