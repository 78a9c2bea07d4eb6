package dev.hapax.store.postgres;

import dev.hapax.flow.StoreRefused;
import dev.hapax.store.jdbc.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * Opens connections with the settings that durability and fencing depend on. A store keeps its few
 * connections open, so it needs no pool; a given data source may be one.
 */
final class PostgresConnections {
  static final String SCHEMA = "hapax";
  private static final int OLDEST_SERVER = 150_000;

  private static final List<String> ALL =
      List.of(
          // Our own schema, so that our tables can share a database with the user's tables.
          "SET search_path = " + SCHEMA,
          "SET statement_timeout = 0", // also at COMMIT, which must never be cut short
          "SET jit = off",
          "SET client_connection_check_interval = '5s'",
          "SET tcp_user_timeout = '10s'");

  /**
   * All statements find rows by an index. A plan made while a table was empty would read the whole
   * table, and would be kept.
   */
  private static final List<String> BY_INDEX =
      List.of(
          "SET plan_cache_mode = force_generic_plan",
          "SET enable_seqscan = off",
          "SET enable_hashjoin = off",
          "SET enable_mergejoin = off");

  private static final List<String> WRITER =
      List.of(
          "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE",
          // A node that hangs inside a transaction must not block a takeover.
          "SET idle_in_transaction_session_timeout = '5s'");

  private static final List<String> READER =
      List.of(
          "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");

  private final Source source;
  private final String name;
  private final Patience patience;

  /** Opens connections, from a data source or an address. */
  @FunctionalInterface
  interface Source {
    Connection open() throws SQLException;
  }

  /**
   * @param name identifies our connections to the server's administrator
   */
  PostgresConnections(Source source, String name, Patience patience) {
    this.source = source;
    this.name = name;
    this.patience = patience;
  }

  /** Opens a connection that is always in a transaction. */
  Session writer() throws SQLException {
    Session session = opened(WRITER, patience.commit());
    try {
      set(session.connection(), BY_INDEX);
      makeDurable(session.connection());
      session.connection().setAutoCommit(false);
      return session;
    } catch (SQLException e) {
      session.close();
      throw e;
    }
  }

  /** Opens a connection without transactions. */
  Session reader() throws SQLException {
    return opened(READER, patience.read());
  }

  /** Opens a reader for rows that are found by their keys alone. */
  Session lookup() throws SQLException {
    Session session = opened(READER, patience.lookup());
    try {
      set(session.connection(), BY_INDEX);
      return session;
    } catch (SQLException e) {
      session.close();
      throw e;
    }
  }

  /** Opens a connection for migrations, which may take long; it has no settings of its own. */
  Session plain() throws SQLException {
    return opened(List.of(), Duration.ZERO);
  }

  /**
   * @param patience zero for no limit
   */
  private Session opened(List<String> settings, Duration patience) throws SQLException {
    Connection connection = source.open();
    try {
      connection.setNetworkTimeout(Runnable::run, (int) patience.toMillis());
      connection.setAutoCommit(true);
      set(connection, ALL);
      set(connection, settings);
      run(connection, "SET application_name = '" + name + "'");
      return new Session(connection, new PostgresDialect());
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private static void set(Connection connection, List<String> settings) throws SQLException {
    for (String setting : settings) {
      run(connection, setting);
    }
  }

  /** Makes commits wait for the disk, and for the standbys that the server waits for. */
  private static void makeDurable(Connection connection) throws SQLException {
    String commit = text(connection, "SHOW synchronous_commit");
    if ("off".equals(commit) || "local".equals(commit)) {
      run(connection, "SET synchronous_commit = on");
    }
  }

  /** Refuses a database that cannot keep our promises. */
  static void refuseUnfit(Connection connection) throws SQLException {
    long version = Long.parseLong(text(connection, "SHOW server_version_num"));
    if (version < OLDEST_SERVER) {
      throw new StoreRefused(
          "the server is PostgreSQL %s; expected 15 or newer"
              .formatted(text(connection, "SHOW server_version")),
          null);
    }
    String encoding = text(connection, "SHOW server_encoding");
    if (!"UTF8".equals(encoding)) {
      throw new StoreRefused(
          "the database's encoding is %s; expected UTF8: create it with ENCODING 'UTF8'"
              .formatted(encoding),
          null);
    }
    if ("t".equals(text(connection, "SELECT pg_is_in_recovery()"))) {
      throw new StoreRefused(
          "the server is a standby: give the address of the primary (targetServerType=primary)",
          null);
    }
  }

  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static String text(Connection connection, String query) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      String found = rows.next() ? rows.getString(1) : null;
      return String.valueOf(found);
    }
  }
}
