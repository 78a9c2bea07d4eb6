package dev.hapax.store.sqlite;

import dev.hapax.flow.Failover;
import dev.hapax.flow.Restoration;
import dev.hapax.flow.Restored;
import dev.hapax.store.jdbc.Prepared;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says which store the file is, whether this process was the last to open it, and whether its
 * content is what was here before. Only the writer's thread uses it, except for reads.
 */
final class SqliteIdentity {
  private static final Logger log = LoggerFactory.getLogger(SqliteIdentity.class);

  private static final String ID = "SELECT value FROM meta WHERE name = 'store_id'";
  static final String EPOCH = "SELECT value FROM meta WHERE name = 'epoch'";
  private static final String SET_EPOCH = "UPDATE meta SET value = :epoch WHERE name = 'epoch'";
  private static final String RESTORED =
      """
      SELECT since.value, why.value FROM meta since JOIN meta why ON why.name = 'restored_why'
      WHERE since.name = 'lost_since'
      """;
  static final String MARK =
      """
      INSERT INTO meta (name, value) VALUES ('lost_since', :since), ('restored_why', :why)
      ON CONFLICT (name) DO NOTHING
      """;
  private static final String UNMARK =
      "DELETE FROM meta WHERE name IN ('lost_since', 'restored_why')";
  private static final String SET_ID = "UPDATE meta SET value = :id WHERE name = 'store_id'";
  private static final String COPIED = "SELECT value FROM meta WHERE name = 'copied_at'";
  private static final String SET_COPIED =
      """
      INSERT INTO meta (name, value) VALUES ('copied_at', :at)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """;
  private static final String NOTE =
      """
      INSERT INTO server (number, name, noted_at, lost_since)
      SELECT coalesce(max(number), 0) + 1, :name, :noted, :lost FROM server
      """;
  private static final String FAILOVERS =
      "SELECT lost_since, noted_at FROM server WHERE lost_since IS NOT NULL ORDER BY number";

  private final Path database;
  private final EpochFile beside;
  private volatile long id;
  private volatile @Nullable Restored restored;
  private volatile List<Failover> failovers = List.of();
  private volatile @Nullable Instant copiedAt;
  private long epoch;

  private SqliteIdentity(Path database) {
    this.database = database;
    this.beside = new EpochFile(database);
  }

  /**
   * Makes the file this process's own: the process that opened it before writes nothing more.
   *
   * @param newest the newest time that the store knows
   */
  static SqliteIdentity take(Path database, Connection connection, Instant newest)
      throws SQLException, IOException {
    var identity = new SqliteIdentity(database);
    SqliteConnections.run(connection, "BEGIN IMMEDIATE");
    try {
      identity.take(connection, newest);
    } catch (SQLException | IOException | RuntimeException e) {
      SqliteConnections.run(connection, "ROLLBACK");
      throw e;
    }
    SqliteConnections.run(connection, "COMMIT");
    identity.landed(identity.epoch);
    return identity;
  }

  private void take(Connection connection, Instant newest) throws SQLException, IOException {
    id = number(connection, ID);
    long before = number(connection, EPOCH);
    restored = marked(connection);
    EpochFile.Content content = beside.read();
    if (restored == null) {
      Restored.Why why = mismatch(before, content, newest);
      if (why != null) {
        restored = new Restored(why, newest);
        mark(connection, restored);
      } else if (before == 0) {
        // Before the commit: a database with a raised epoch has, or had, such a file.
        beside.write(new EpochFile.Content(id, 0));
      }
    }
    epoch = before + 1;
    setEpoch(connection, epoch);
    failovers = failovers(connection);
    copiedAt = copiedAt(connection);
    if (restored != null) {
      log.warn("{}: {}", database, restored.text());
    }
  }

  private Restored.@Nullable Why mismatch(
      long epochInside, EpochFile.@Nullable Content content, Instant newest) {
    if (epochInside == 0) {
      // New, or from a version without epochs: then it is an older copy if a newer one was here.
      boolean hadEpoch = content != null && content.epoch() > 0;
      return hadEpoch && newest.isAfter(Instant.EPOCH) ? Restored.Why.OTHER : null;
    }
    if (content == null) {
      return Restored.Why.MOVED;
    }
    if (content.store() != id) {
      return Restored.Why.OTHER;
    }
    return content.epoch() > epochInside ? Restored.Why.BEHIND : null;
  }

  long id() {
    return id;
  }

  @Nullable Restored restored() {
    return restored;
  }

  List<Failover> failovers() {
    return failovers;
  }

  @Nullable Instant copiedAt() {
    return copiedAt;
  }

  private static @Nullable Instant copiedAt(Connection connection) throws SQLException {
    try (var read = new Prepared(connection, COPIED)) {
      return read.first(row -> row.at(1));
    }
  }

  /** Whether the epoch that a transaction found is this process's own. */
  boolean isOurs(long found) {
    return found == epoch;
  }

  /** Raises the epoch inside an open transaction; {@link #landed} must follow its commit. */
  long raise(Connection connection) throws SQLException {
    long raised = epoch + 1;
    setEpoch(connection, raised);
    return raised;
  }

  /** Records that the raised epoch is durable. */
  void landed(long raised) {
    epoch = raised;
    if (restored == null) {
      beside.writeIfPossible(new EpochFile.Content(id, epoch));
    }
  }

  /** Requires an open transaction; {@link #settled} must follow its commit. */
  Settled settle(Connection connection, Restoration as, long freshId, Instant at, Instant newest)
      throws SQLException, IOException {
    Restored known = restored;
    // A copy of the whole folder looks like the original: then the person knows better.
    Instant since = known == null ? newest : known.lostSince();
    EpochFile.Content content = beside.read();
    long behind = content == null ? 0 : content.epoch();
    long newId = as == Restoration.COPY ? freshId : id;
    long newEpoch = Math.max(epoch, behind) + 1;
    try (var note = new Prepared(connection, NOTE);
        var setId = new Prepared(connection, SET_ID)) {
      Instant noted = at.isAfter(since) ? at : since;
      note.with("restored as " + as.word()).with(noted).with(since).update();
      setId.with(newId).update();
    }
    SqliteConnections.run(connection, UNMARK);
    if (as == Restoration.COPY) {
      try (var copied = new Prepared(connection, SET_COPIED)) {
        copied.with(at).update();
      }
    }
    setEpoch(connection, newEpoch);
    // Before the commit, as above. Until then the mark inside says what the store is.
    beside.write(new EpochFile.Content(newId, 0));
    return new Settled(newId, newEpoch, failovers(connection), copiedAt(connection));
  }

  /** A person's answer, before it is durable. */
  record Settled(long id, long epoch, List<Failover> failovers, @Nullable Instant copiedAt) {}

  void settled(Settled settled) {
    id = settled.id();
    failovers = settled.failovers();
    copiedAt = settled.copiedAt();
    restored = null;
    landed(settled.epoch());
  }

  private static @Nullable Restored marked(Connection connection) throws SQLException {
    try (var read = new Prepared(connection, RESTORED)) {
      return read.first(row -> new Restored(Restored.Why.of(row.number(2)), row.at(1)));
    }
  }

  /** Marks inside a store that it is a copy; an existing mark stays. */
  static void mark(Connection connection, Restored restored) throws SQLException {
    try (var mark = new Prepared(connection, MARK)) {
      mark.with(restored.lostSince()).with(restored.why().code()).update();
    }
  }

  private static List<Failover> failovers(Connection connection) throws SQLException {
    try (var read = new Prepared(connection, FAILOVERS)) {
      return read.all(row -> new Failover(row.at(1), row.at(2), true));
    }
  }

  private static void setEpoch(Connection connection, long epoch) throws SQLException {
    try (var set = new Prepared(connection, SET_EPOCH)) {
      set.with(epoch).update();
    }
  }

  private static long number(Connection connection, String query) throws SQLException {
    Long number = SqliteConnections.number(connection, query);
    if (number == null) {
      throw new SQLException("a row of meta is missing: " + query);
    }
    return number;
  }
}
