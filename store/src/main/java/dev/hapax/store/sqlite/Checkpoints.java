package dev.hapax.store.sqlite;

import dev.hapax.store.jdbc.Prepared;
import java.sql.Connection;
import java.sql.SQLException;

/** Moves what the WAL holds into the file. */
final class Checkpoints {
  private Checkpoints() {}

  /** All of it, and empties the WAL. */
  static void truncate(Connection connection) throws SQLException {
    Boolean busy =
        new Prepared(connection, "PRAGMA wal_checkpoint(TRUNCATE)").first(row -> row.flag(1));
    if (!Boolean.FALSE.equals(busy)) {
      throw new SQLException("the WAL could not be written back: another program reads the file");
    }
  }
}
