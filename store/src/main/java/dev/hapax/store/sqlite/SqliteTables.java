package dev.hapax.store.sqlite;

import dev.hapax.store.NodeReport;
import dev.hapax.store.jdbc.Key;
import dev.hapax.store.jdbc.Prepared;
import dev.hapax.store.jdbc.Session;
import dev.hapax.store.jdbc.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** All of the writer's statements on one connection. */
final class SqliteTables implements AutoCloseable {
  private static final String RUNS_FROM =
      """
      SELECT number, id FROM run WHERE number >= :number
      UNION ALL SELECT number, id FROM expired_run WHERE number >= :number
      """;

  private static final String EFFECTS_FROM =
      """
      SELECT tenant, name, key, additive_run, number, NULL FROM effect WHERE number >= :number
      UNION ALL SELECT NULL, NULL, NULL, NULL, number, hash FROM expired_effect WHERE number >= :number
      """;

  /** The file is locked, so any other owner of a run is gone, unless it is the quarantine. */
  private static final String ADOPT =
      """
      UPDATE run SET owner = :owner
      WHERE owner IS NOT NULL AND owner <> -1 AND (owner <> :owner OR :recall = 1)
      RETURNING number
      """;

  /** Looks without changing anything. */
  private static final String WAL_PAGES = "PRAGMA wal_checkpoint(NOOP)";

  private final Connection connection;
  private final SqliteKeyIndex runKeys;
  private final SqliteKeyIndex effectKeys;
  private final Tables tables;
  private final Prepared begin;
  private final Prepared commit;
  private final Prepared rollback;
  private final Prepared setNewestAt;
  private final Prepared adopt;
  private final Prepared walPages;
  private final Prepared epoch;

  SqliteTables(Connection connection, RecentKeys recentRuns, RecentKeys recentEffects)
      throws SQLException {
    this.connection = connection;
    this.runKeys = new SqliteKeyIndex(connection, recentRuns, "run_key", "runs_indexed_before");
    this.effectKeys =
        new SqliteKeyIndex(connection, recentEffects, "effect_key", "effects_indexed_before");
    this.tables = new Tables(new Session(connection, new SqliteDialect()), runKeys, effectKeys);
    this.begin =
        new Prepared(
            connection, "BEGIN IMMEDIATE"); // a reader that becomes a writer gets BUSY at once
    this.commit = new Prepared(connection, "COMMIT");
    this.rollback = new Prepared(connection, "ROLLBACK");
    this.setNewestAt =
        new Prepared(connection, "UPDATE meta SET value = :at WHERE name = 'newest_at'");
    this.adopt = new Prepared(connection, ADOPT);
    this.walPages = new Prepared(connection, WAL_PAGES);
    this.epoch = new Prepared(connection, SqliteIdentity.EPOCH);
    runKeys.restore(
        connection, RUNS_FROM, row -> new RecentKeys.Entry(Key.of(row.bytes(2)), row.number(1)));
    effectKeys.restore(
        connection,
        EFFECTS_FROM,
        row -> {
          byte[] hash = row.bytesOrNull(6);
          return new RecentKeys.Entry(
              hash == null ? Key.ofEffect(row) : Key.of(hash), row.number(5));
        });
  }

  Connection connection() {
    return connection;
  }

  /** The tables that groups are written to. */
  Tables groups() {
    return tables;
  }

  void begin() throws SQLException {
    begin.execute();
  }

  /** The epoch of the process that opened the file last; -1 if there is none any more. */
  long epoch() throws SQLException {
    Long found = epoch.first(row -> row.number(1));
    return found == null ? -1 : found;
  }

  /** Makes a transaction's last writes, which are about no group. */
  void moveKeys() throws SQLException {
    runKeys.move();
    effectKeys.move();
  }

  void commit() throws SQLException {
    commit.execute();
  }

  void committed() {
    runKeys.committed();
    effectKeys.committed();
  }

  void rollBack() throws SQLException {
    runKeys.rolledBack();
    effectKeys.rolledBack();
    tables.rolledBack();
    rollback.execute();
  }

  void setNewestAt(Instant at) throws SQLException {
    setNewestAt.with(at).update();
  }

  List<Long> adopt(NodeReport report) throws SQLException {
    return adopt.with(report.owner()).with(report.recall() ? 1L : 0L).all(row -> row.number(1));
  }

  /** Returns the number of pages in the WAL that are not in the file yet. */
  long walPages() throws SQLException {
    Long pages = walPages.first(row -> row.number(2) - row.number(3));
    return pages == null ? 0 : pages;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
