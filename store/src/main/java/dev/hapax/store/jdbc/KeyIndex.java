package dev.hapax.store.jdbc;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which row has a key: the writer's side, inside its transaction. */
public interface KeyIndex {
  /** Whether a row is known to have it without a look at the table that it would be inserted in. */
  boolean isTaken(Key key) throws SQLException;

  @Nullable Long number(Key key) throws SQLException;

  /** For a row that this transaction has inserted. */
  void add(Key key, long number) throws SQLException;

  /** For rows that nothing is left of. */
  void remove(List<Key> keys) throws SQLException;
}
