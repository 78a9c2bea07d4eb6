package dev.hapax.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** One connection and its database's dialect. Used by one thread at a time. */
public final class Session implements AutoCloseable {
  private final Connection connection;
  private final Dialect dialect;

  public Session(Connection connection, Dialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
  }

  public Connection connection() {
    return connection;
  }

  Dialect dialect() {
    return dialect;
  }

  public Prepared prepare(String sql) throws SQLException {
    return dialect.prepare(connection, sql);
  }

  /** Prepares a statement about many rows: {@code %s} becomes the numbers in this JSON array. */
  Prepared prepare(String sql, String numbers) throws SQLException {
    return prepare(sql.formatted(dialect.numbers(numbers)));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
