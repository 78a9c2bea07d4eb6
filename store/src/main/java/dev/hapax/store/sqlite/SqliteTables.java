package dev.hapax.store.sqlite;

import dev.hapax.store.jdbc.Prepared;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** All statements of the writer on one connection. */
final class SqliteTables implements AutoCloseable {
  private static final String RUNS_FROM =
      """
      SELECT number, id FROM run WHERE number >= :number
      UNION ALL SELECT number, id FROM expired_run WHERE number >= :number
      """;

  private static final String EFFECTS_FROM =
      "SELECT tenant, name, key, additive_run, number FROM effect WHERE number >= :number";

  private static final String ADOPT =
      "UPDATE run SET owner = :owner WHERE owner IS NOT NULL AND owner <> :owner RETURNING number";

  /** Looks without doing anything. */
  private static final String WAL_PAGES = "PRAGMA wal_checkpoint(NOOP)";

  private final Connection connection;
  private final KeyIndex runKeys;
  private final KeyIndex effectKeys;
  private final RunRows runs;
  private final JournalRows journal;
  private final EffectRows effects;
  private final WaiterRows waiters;
  private final WaitRows waits;
  private final ScheduleRows schedules;
  private final RetentionRows retention;
  private final LineRows lines;
  private final ResourceRows resources;
  private final KvRows kv;
  private final AnsweredRows answered;
  private final InboxRows inbox;
  private final Prepared begin;
  private final Prepared commit;
  private final Prepared rollback;
  private final Prepared setNewestAt;
  private final Prepared adopt;
  private final Prepared walPages;

  SqliteTables(Connection connection, RecentKeys recentRuns, RecentKeys recentEffects)
      throws SQLException {
    this.connection = connection;
    this.runKeys = new KeyIndex(connection, recentRuns, "run_key", "runs_indexed_before");
    this.effectKeys =
        new KeyIndex(connection, recentEffects, "effect_key", "effects_indexed_before");
    this.runs = new RunRows(connection, runKeys);
    this.journal = new JournalRows(connection);
    this.effects = new EffectRows(connection, effectKeys);
    this.waiters = new WaiterRows(connection);
    this.waits = new WaitRows(connection);
    this.schedules = new ScheduleRows(connection);
    this.resources = new ResourceRows(connection);
    this.kv = new KvRows(connection, resources);
    this.answered = new AnsweredRows(connection);
    this.retention = new RetentionRows(connection, runKeys, resources);
    this.lines = new LineRows(connection);
    this.inbox = new InboxRows(connection);
    this.begin =
        new Prepared(
            connection, "BEGIN IMMEDIATE"); // a reader that becomes a writer gets BUSY at once
    this.commit = new Prepared(connection, "COMMIT");
    this.rollback = new Prepared(connection, "ROLLBACK");
    this.setNewestAt =
        new Prepared(connection, "UPDATE meta SET value = :at WHERE name = 'newest_at'");
    this.adopt = new Prepared(connection, ADOPT);
    this.walPages = new Prepared(connection, WAL_PAGES);
    runKeys.restore(
        connection, RUNS_FROM, row -> new RecentKeys.Entry(Key.of(row.bytes(2)), row.number(1)));
    effectKeys.restore(
        connection,
        EFFECTS_FROM,
        row -> new RecentKeys.Entry(Key.of(EffectMapping.key(row)), row.number(5)));
  }

  Connection connection() {
    return connection;
  }

  RunRows runs() {
    return runs;
  }

  JournalRows journal() {
    return journal;
  }

  EffectRows effects() {
    return effects;
  }

  WaiterRows waiters() {
    return waiters;
  }

  WaitRows waits() {
    return waits;
  }

  InboxRows inbox() {
    return inbox;
  }

  ScheduleRows schedules() {
    return schedules;
  }

  RetentionRows retention() {
    return retention;
  }

  LineRows lines() {
    return lines;
  }

  ResourceRows resources() {
    return resources;
  }

  KvRows kv() {
    return kv;
  }

  AnsweredRows answered() {
    return answered;
  }

  void begin() throws SQLException {
    begin.execute();
  }

  /** The last writes of a transaction that are about no group. */
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
    waiters.rolledBack();
    resources.rolledBack();
    rollback.execute();
  }

  void setNewestAt(Instant at) throws SQLException {
    setNewestAt.with(at).update();
  }

  List<Long> adopt(long owner) throws SQLException {
    return adopt.with(owner).all(row -> row.number(1));
  }

  /** The pages in the WAL that are not in the file yet. */
  long walPages() throws SQLException {
    Long pages = walPages.first(row -> row.number(2) - row.number(3));
    return pages == null ? 0 : pages;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
