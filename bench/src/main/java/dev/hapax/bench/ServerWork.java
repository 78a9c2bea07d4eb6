package dev.hapax.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The work of a PostgreSQL server for one database, as the server itself counts it. */
record ServerWork(long transactions, long rows, long statements) {
  private static final String COUNT =
      """
      SELECT d.xact_commit, d.tup_inserted + d.tup_updated + d.tup_deleted,
        (SELECT coalesce(sum(s.calls), 0) FROM pg_stat_statements s WHERE s.dbid = d.datid)
      FROM pg_stat_database d WHERE d.datname = current_database()
      """;

  /** Must be called for a database before anything is counted in it. */
  static void prepare(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
    }
  }

  /** Waits first: sessions report their work with a delay, unless they are idle for a second. */
  static ServerWork of(String url) throws SQLException, InterruptedException {
    Thread.sleep(1_500);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(COUNT)) {
      row.next();
      return new ServerWork(row.getLong(1), row.getLong(2), row.getLong(3));
    }
  }

  /** Returns how many bytes of WAL the server has written so far, for all its databases. */
  static long walBytes(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Returns how many connections an engine has to its database now. */
  static int connections(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND pid <> pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  /** Returns the version of the server. */
  static String version(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      return connection.getMetaData().getDatabaseProductVersion();
    }
  }

  ServerWork since(ServerWork before) {
    return new ServerWork(
        transactions - before.transactions, rows - before.rows, statements - before.statements);
  }
}
