package dev.hapax.store.sqlite;

import dev.hapax.store.jdbc.Prepared;
import dev.hapax.store.jdbc.Session;
import dev.hapax.store.jdbc.StoreReader;
import java.nio.file.Path;
import java.sql.SQLException;

/** Reads inside one transaction; its first query takes the snapshot. */
final class SqliteReader extends StoreReader {
  private final Prepared begin;
  private final Prepared end;

  private SqliteReader(Session session) throws SQLException {
    super(session);
    this.begin = session.prepare("BEGIN");
    this.end = session.prepare("COMMIT");
  }

  static SqliteReader open(Path file) throws SQLException {
    return new SqliteReader(new Session(SqliteConnections.reader(file), new SqliteDialect()));
  }

  @Override
  protected void begin() throws SQLException {
    begin.execute();
  }

  @Override
  protected void oneMoment() {} // always one moment

  @Override
  protected void end() throws SQLException {
    end.execute();
  }
}
