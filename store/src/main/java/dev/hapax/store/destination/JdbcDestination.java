package dev.hapax.store.destination;

import dev.hapax.flow.DestinationDatabase;
import dev.hapax.store.jdbc.Prepared;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A user's database that a flow writes to once: a marker row commits together with the write.
 * Supports PostgreSQL and SQLite. Safe for many threads if its data source is.
 */
public final class JdbcDestination implements DestinationDatabase<Connection> {
  private static final String TABLE =
      "CREATE TABLE IF NOT EXISTS hapax_marker (marker text NOT NULL PRIMARY KEY, result text)";

  /**
   * Runs first, so that a second attempt waits here until the first one ends instead of working in
   * parallel.
   */
  private static final String MARK =
      "INSERT INTO hapax_marker (marker) VALUES (?) ON CONFLICT (marker) DO NOTHING";

  private static final String KEEP_RESULT = "UPDATE hapax_marker SET result = ? WHERE marker = ?";

  /**
   * A separate statement: inside the one above, PostgreSQL would not see a row that was committed
   * meanwhile.
   */
  private static final String RESULT = "SELECT result FROM hapax_marker WHERE marker = ?";

  private final UserTransactions transactions;
  private volatile boolean hasTable;

  JdbcDestination(UserTransactions transactions) {
    this.transactions = transactions;
  }

  /** Creates the marker's table, {@code hapax_marker}, on first use. */
  public static JdbcDestination of(DataSource source) {
    return new JdbcDestination(UserTransactions.of(source));
  }

  @Override
  public String once(String marker, Work<Connection> work) throws Exception {
    return transactions.commit(
        connection -> {
          makeTable(connection);
          if (!mark(connection, marker)) {
            return storedResult(connection, marker);
          }
          String result = work.in(connection);
          keepResult(connection, marker, result);
          return result;
        });
  }

  private void makeTable(Connection connection) throws SQLException {
    if (!hasTable) {
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate(TABLE);
      }
      connection.commit(); // contains only the table so far
      hasTable = true;
    }
  }

  private static boolean mark(Connection connection, String marker) throws SQLException {
    try (var mark = new Prepared(connection, MARK)) {
      return mark.with(marker).update() == 1;
    }
  }

  private static void keepResult(Connection connection, String marker, String result)
      throws SQLException {
    try (var keep = new Prepared(connection, KEEP_RESULT)) {
      keep.with(result).with(marker).update();
    }
  }

  private static String storedResult(Connection connection, String marker) throws SQLException {
    try (var select = new Prepared(connection, RESULT)) {
      @Nullable String result = select.with(marker).first(row -> row.text(1));
      if (result == null) {
        throw new SQLException(
            "the marker " + marker + " is there for an insert but not for a select");
      }
      return result;
    }
  }
}
