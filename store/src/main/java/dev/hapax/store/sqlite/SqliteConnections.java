package dev.hapax.store.sqlite;

import dev.hapax.store.jdbc.Prepared;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteOpenMode;

/**
 * Opens connections with the settings that durability and speed depend on, and checks that they
 * hold.
 */
final class SqliteConnections {
  /**
   * The driver's default runs a SELECT after every INSERT to learn a key that we made ourselves.
   * Without it: 13,100 instead of 9,400 runs a second.
   */
  private static final String GENERATED_KEYS = "jdbc.get_generated_keys";

  private static final List<String> ALL =
      List.of(
          "PRAGMA journal_mode = WAL",
          // Anything weaker loses acknowledged commits in a power cut: measured, 200 of 200.
          "PRAGMA synchronous = FULL",
          // Without these, fsync on macOS does not reach the disk.
          "PRAGMA fullfsync = ON",
          "PRAGMA checkpoint_fullfsync = ON",
          "PRAGMA busy_timeout = 5000",
          "PRAGMA foreign_keys = ON",
          // An I/O error on a mapped page is a signal that ends the JVM, not an error code.
          "PRAGMA mmap_size = 0",
          "PRAGMA temp_store = MEMORY");

  private static final List<String> WRITER =
      List.of(
          "PRAGMA cache_size = -65536", // KiB
          // Replaced bytes of a page that is written anyway become zeros: an erased value has no
          // earlier copy there. It costs no I/O.
          "PRAGMA secure_delete = FAST",
          // In pages, for the rest that Checkpoints leaves. The usual 1,000 write the same pages
          // over and over: 5,700 runs a second instead of 8,700.
          "PRAGMA wal_autocheckpoint = 20000",
          // Above the usual size: overwriting old frames is faster than growing the file each time.
          "PRAGMA journal_size_limit = 134217728");

  private static final List<String> READER =
      List.of(
          "PRAGMA cache_size = -16384", "PRAGMA query_only = ON", "PRAGMA wal_autocheckpoint = 0");

  private static final long SYNCHRONOUS_FULL = 2;

  private SqliteConnections() {}

  /** Opens a connection without any settings, to look at a file that may not be ours. */
  static Connection plain(Path file) throws SQLException {
    var config = new SQLiteConfig();
    config.setOpenMode(SQLiteOpenMode.NOMUTEX); // threads never share a connection
    Properties properties = config.toProperties();
    properties.setProperty(GENERATED_KEYS, "false");
    // A URI, because a '?' in a path would begin the driver's own settings.
    String url = JDBC.PREFIX + file.toUri();
    SQLiteConnection connection = JDBC.createConnection(url, properties);
    // Only makes the driver leave transactions to us. In auto-commit mode it tries BEGIN and COMMIT
    // around every statement; with Connection.setAutoCommit(false) a transaction is always open,
    // even while nothing happens.
    connection.getConnectionConfig().setAutoCommit(false);
    return connection;
  }

  static Connection writer(Path file) throws SQLException {
    return opened(file, WRITER);
  }

  static Connection reader(Path file) throws SQLException {
    return opened(file, READER);
  }

  private static Connection opened(Path file, List<String> settings) throws SQLException {
    Connection connection = plain(file);
    try {
      for (String setting : ALL) {
        run(connection, setting);
      }
      for (String setting : settings) {
        run(connection, setting);
      }
      expect("journal_mode", "wal", text(connection, "PRAGMA journal_mode"));
      expect("synchronous", SYNCHRONOUS_FULL, number(connection, "PRAGMA synchronous"));
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private static void expect(String setting, Object expected, @Nullable Object found)
      throws SQLException {
    if (!expected.equals(found)) {
      throw new SQLException("%s: expected %s, got %s".formatted(setting, expected, found));
    }
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static @Nullable Long number(Connection connection, String query) throws SQLException {
    try (var prepared = new Prepared(connection, query)) {
      return prepared.first(row -> row.number(1));
    }
  }

  static @Nullable String text(Connection connection, String query) throws SQLException {
    try (var prepared = new Prepared(connection, query)) {
      return prepared.first(row -> row.text(1));
    }
  }
}
