package dev.hapax.store.postgres;

import dev.hapax.store.jdbc.Session;
import dev.hapax.store.jdbc.StoreReader;
import java.sql.SQLException;

/**
 * Reads with a transaction only where several queries must see one moment: one alone costs a round
 * trip less without.
 */
final class PostgresReader extends StoreReader {
  private final Session session;

  private PostgresReader(Session session) throws SQLException {
    super(session);
    this.session = session;
  }

  static PostgresReader open(PostgresConnections connections) throws SQLException {
    Session session = connections.reader();
    try {
      return new PostgresReader(session);
    } catch (SQLException e) {
      session.close();
      throw e;
    }
  }

  @Override
  protected void begin() {}

  @Override
  protected void oneMoment() throws SQLException {
    session.connection().setAutoCommit(false);
  }

  @Override
  protected void end() throws SQLException {
    if (!session.connection().getAutoCommit()) {
      session.connection().commit();
      session.connection().setAutoCommit(true);
    }
  }
}
