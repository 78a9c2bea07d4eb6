package dev.hapax.store.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a run unchanged until the transaction ends, if others write too. A separate statement,
 * before those that decide by what they read: a statement that waits for a lock still sees all rows
 * except the locked one as they were before it waited.
 */
final class RunLock {
  private final @Nullable Prepared lock;

  RunLock(Session session) throws SQLException {
    this.lock =
        session.dialect().isShared()
            ? session.prepare(
                "SELECT 1 FROM run WHERE number = :run" + session.dialect().forUpdate())
            : null;
  }

  void take(long run) throws SQLException {
    if (lock != null) {
      lock.with(run).first(row -> row.flag(1));
    }
  }
}
