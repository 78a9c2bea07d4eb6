package dev.hapax.store.postgres;

import dev.hapax.store.jdbc.Key;
import dev.hapax.store.jdbc.KeyIndex;
import dev.hapax.store.jdbc.Prepared;
import dev.hapax.store.jdbc.Session;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds rows by key, with the unique index of their table. */
final class PostgresKeyIndex implements KeyIndex {
  private static final String SERIALIZATION_FAILURE = "40001";

  private final Prepared find;
  private final Prepared findExpired;

  private PostgresKeyIndex(Prepared find, Prepared findExpired) {
    this.find = find;
    this.findExpired = findExpired;
  }

  static PostgresKeyIndex ofRuns(Session session) throws SQLException {
    return new PostgresKeyIndex(
        session.prepare(new PostgresDialect().runByKey()),
        session.prepare("SELECT 1 FROM expired_run WHERE id = :id"));
  }

  static PostgresKeyIndex ofEffects(Session session) throws SQLException {
    return new PostgresKeyIndex(
        session.prepare(new PostgresDialect().effectByKey()),
        session.prepare("SELECT 1 FROM expired_effect WHERE hash = :hash"));
  }

  /** Looks where the unique index of the table does not. */
  @Override
  public boolean isTaken(Key key) throws SQLException {
    return findExpired.with(key.bytes()).first(row -> row.flag(1)) != null;
  }

  @Override
  public @Nullable Long number(Key key) throws SQLException {
    return find.with(key.bytes()).first(row -> row.number(1));
  }

  /**
   * Checks again in a new statement: the insert may have waited for a transaction that let the row
   * with this key expire.
   */
  @Override
  public void add(Key key, long number) throws SQLException {
    if (isTaken(key)) {
      throw new SQLTransactionRollbackException(
          "the row with this key expired meanwhile", SERIALIZATION_FAILURE);
    }
  }

  /** The keys are deleted with their rows. */
  @Override
  public void remove(List<Key> keys) {}
}
