package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.SqlDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens the databases of connections. It checks the address as for every other destination, and
 * encrypts the way there; it looks up the password at the last moment. Safe for many threads.
 */
public final class Databases {
  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);

  /** The driver limits the rows; this limits everything that a database may send. */
  private static final long MOST_BYTES = 32L << 20;

  private static final byte[] TLS_REQUEST = {0, 0, 0, 8, 4, (byte) 210, 22, 47};

  private final Egress egress;
  private final Secrets secrets;
  private final Redaction redaction;
  private final Driver driver;

  /** Talks to the database; flow files do not know JDBC. */
  @FunctionalInterface
  public interface Driver {
    /**
     * Returns the database of a connection.
     *
     * @param sockets opens a socket to it, encrypted as the connection says; the only way there
     * @param timeout of one statement
     */
    SqlDatabase open(
        Connection.Postgres connection,
        Supplier<Socket> sockets,
        @Nullable String password,
        Duration timeout);

    /** For callers without databases. */
    Driver NONE =
        (connection, _, _, _) -> {
          throw new NotApplied(
              "this process has no access to databases, so it cannot use database '%s'"
                  .formatted(connection.name()));
        };
  }

  public Databases(Egress egress, Secrets secrets, Redaction redaction, Driver driver) {
    this.egress = egress;
    this.secrets = secrets;
    this.redaction = redaction;
    this.driver = driver;
  }

  /** Returns the database, for one attempt. */
  public SqlDatabase open(Connection.Postgres connection, Duration timeout) {
    return new RedactedDatabase(
        driver.open(
            connection, () -> socket(connection, timeout), password(connection, timeout), timeout),
        redaction);
  }

  /** Its time and bytes are those of the attempt; they end when it is closed. */
  private Socket socket(Connection.Postgres connection, Duration timeout) {
    AttemptBudget budget = egress.begin(timeout, MOST_BYTES);
    try {
      Socket plain =
          egress.connect(
              connection.host(),
              connection.port(),
              LONGEST_CONNECT,
              connection.privateHosts(),
              budget);
      return connection.tls() == Connection.Postgres.Tls.NONE
          ? plain
          : encrypted(connection, plain, budget);
    } catch (Refused e) {
      throw new Rejected("address-refused", String.valueOf(e.getMessage()), e);
    }
  }

  private Socket encrypted(Connection.Postgres connection, Socket plain, AttemptBudget budget) {
    int answer;
    try {
      plain.getOutputStream().write(TLS_REQUEST);
      answer = plain.getInputStream().read(); // one byte: the next belong to the handshake
    } catch (IOException e) {
      Egress.close(plain);
      throw new NotApplied(
          "no TLS with database '%s': %s".formatted(connection.name(), e.getMessage()), e);
    }
    if (answer != 'S') {
      Egress.close(plain);
      throw new NotApplied(
          "database '%s' offers no TLS (SSL), which its connection asks for: nothing was sent"
              .formatted(connection.name()));
    }
    return connection.tls() == Connection.Postgres.Tls.VERIFIED
        ? egress.encrypt(plain, connection.host(), connection.port(), budget)
        : egress.encryptUnverified(plain, connection.host(), connection.port(), budget);
  }

  private @Nullable String password(Connection.Postgres connection, Duration timeout) {
    String name = connection.secret();
    if (name == null) {
      return null;
    }
    boolean isSafe =
        connection.tls() != Connection.Postgres.Tls.NONE || isLocal(connection, timeout);
    return secrets.use(
        name, new SecretRecipient(connection.host(), connection.port(), isSafe), redaction);
  }

  private boolean isLocal(Connection.Postgres connection, Duration timeout) {
    try (AttemptBudget budget = egress.begin(timeout, MOST_BYTES)) {
      return egress.addresses(connection.host(), connection.privateHosts(), budget).stream()
          .allMatch(InetAddress::isLoopbackAddress);
    } catch (Refused e) {
      throw new Rejected("address-refused", String.valueOf(e.getMessage()), e);
    }
  }
}
