package dev.hapax.store.jdbc;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds rows by key: the writer's side, inside its transaction. */
public interface KeyIndex {
  /** Whether a row is known to have the key, without a look at the table of the new row. */
  boolean isTaken(Key key) throws SQLException;

  @Nullable Long number(Key key) throws SQLException;

  /** Adds the key of a row that this transaction has inserted. */
  void add(Key key, long number) throws SQLException;

  /** Removes the keys of rows that are completely gone. */
  void remove(List<Key> keys) throws SQLException;
}
