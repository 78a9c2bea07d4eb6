package dev.hapax.flows.connection;

import dev.hapax.flow.NotApplied;
import dev.hapax.flow.Rejected;
import dev.hapax.flow.SqlDatabase;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Databases of connections: the address is checked as that of every other destination, and the
 * password looked up at the last moment. Safe for many threads.
 */
public final class Databases {
  private final Egress egress;
  private final Secrets secrets;
  private final Redaction redaction;
  private final Driver driver;

  /** Speaks with the database; flow files know no JDBC. */
  @FunctionalInterface
  public interface Driver {
    /**
     * The database of a connection.
     *
     * @param addresses the only ones that it may be reached at
     * @param timeout of one statement
     */
    SqlDatabase open(
        Connection.Postgres connection,
        List<InetAddress> addresses,
        @Nullable String password,
        Duration timeout);

    /** For who has none. */
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

  /** The database, for one attempt. */
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
