package dev.hapax.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** One connection and the database that it leads to. Used by one thread at a time. */
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

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
