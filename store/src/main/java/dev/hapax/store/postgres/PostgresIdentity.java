package dev.hapax.store.postgres;

import dev.hapax.flow.Restoration;
import dev.hapax.flow.Restored;
import dev.hapax.store.jdbc.Session;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Says which store the database holds, and whether it is where it was written. A loaded dump gets
 * tables with other numbers, even in the same server, and lacks everything done since the dump.
 */
final class PostgresIdentity {
  private static final String ID = "SELECT value FROM meta WHERE name = 'store_id'";

  private static final String COPIED = "SELECT value FROM meta WHERE name = 'copied_at'";

  private static final String PLACES =
      """
      SELECT (SELECT value FROM meta WHERE name = 'place'),
        ((SELECT cast(cast(oid AS text) AS bigint) FROM pg_database WHERE datname = current_database()) << 32)
          | cast(cast(cast('meta' AS regclass) AS oid) AS bigint)
      """;

  private static final String SET =
      """
      INSERT INTO meta (name, value) VALUES (:name, :value)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """;

  private static final String MARK =
      """
      INSERT INTO meta (name, value) VALUES (:name, :value) ON CONFLICT (name) DO NOTHING
      """;

  private static final String RESTORED =
      """
      SELECT since.value, why.value FROM meta since JOIN meta why ON why.name = 'restored_why'
      WHERE since.name = 'lost_since'
      """;

  private static final String UNMARK =
      "DELETE FROM meta WHERE name IN ('lost_since', 'restored_why')";

  private static final String NOTE =
      """
      INSERT INTO server (number, name, noted_at, lost_since)
      SELECT number + 1, name, :noted, :lost FROM server ORDER BY number DESC LIMIT 1
      """;

  private volatile long id;
  private volatile @Nullable Instant copiedAt;
  private volatile @Nullable Restored restored;

  long id() {
    return id;
  }

  @Nullable Restored restored() {
    return restored;
  }

  @Nullable Instant copiedAt() {
    return copiedAt;
  }

  /** Reads it again, because other nodes may have changed it. */
  void read(Session session) throws SQLException {
    try (var read = session.prepare(ID);
        var copied = session.prepare(COPIED);
        var marked = session.prepare(RESTORED)) {
      Long found = read.first(row -> row.number(1));
      id = found == null ? 0 : found;
      copiedAt = copied.first(row -> row.at(1));
      restored = marked.first(row -> new Restored(Restored.Why.of(row.number(2)), row.at(1)));
    }
  }

  /** Whether the tables are not those that were written to before; notes the present ones. */
  boolean isMoved(Session session) throws SQLException {
    try (var read = session.prepare(PLACES)) {
      Places places = read.first(row -> new Places(row.numberOrNull(1), row.number(2)));
      if (places == null || places.isSame()) {
        return false;
      }
      set(session, SET, "place", places.now());
      return places.before() != null;
    }
  }

  private record Places(@Nullable Long before, long now) {
    boolean isSame() {
      return before != null && before == now;
    }
  }

  void mark(Session session, Restored found) throws SQLException {
    set(session, MARK, "lost_since", found.lostSince().toEpochMilli());
    set(session, MARK, "restored_why", found.why().code());
  }

  /** Requires a transaction; {@link #read} must follow its commit. */
  void settle(Session session, Restoration as, long freshId, Instant at) throws SQLException {
    read(session);
    Restored now = restored;
    if (now == null) {
      throw new IllegalStateException("the store was not restored: there is nothing to confirm");
    }
    try (var note = session.prepare(NOTE);
        var unmark = session.prepare(UNMARK)) {
      note.with(at.isAfter(now.lostSince()) ? at : now.lostSince()).with(now.lostSince()).update();
      unmark.update();
    }
    if (as == Restoration.COPY) {
      set(session, SET, "store_id", freshId);
      set(session, SET, "copied_at", at.toEpochMilli());
    }
  }

  private static void set(Session session, String sql, String name, long value)
      throws SQLException {
    try (var set = session.prepare(sql)) {
      set.with(name).with(value).update();
    }
  }
}
