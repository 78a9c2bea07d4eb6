package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.SqlDatabase;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opens the databases of connections. It checks the address as for every other destination, and
 * looks up the password at the last moment. Safe for many threads.
 */
public final class Databases {
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
     * @param addresses the only ones at which it may be reached
     * @param timeout of one statement
     */
    SqlDatabase open(
        Connection.Postgres connection,
        List<InetAddress> addresses,
        @Nullable String password,
        Duration timeout);

    /** For callers without databases. */
    Driver NONE =
        (connection, _, _, _) -> {
          throw new NotApplied(
              "this process has no driver for the database '%s'".formatted(connection.name()));
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
    List<InetAddress> addresses;
    try {
      addresses = egress.addresses(connection.host(), connection.privateHosts());
    } catch (Refused e) {
      throw new Rejected("address-refused", String.valueOf(e.getMessage()), e);
    }
    return new RedactedDatabase(
        driver.open(connection, addresses, password(connection), timeout), redaction);
  }

  private @Nullable String password(Connection.Postgres connection) {
    String name = connection.secret();
    return name == null ? null : secrets.use(name, redaction);
  }
}
