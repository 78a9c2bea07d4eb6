package dev.hapax.store.postgres;

import dev.hapax.store.jdbc.Prepared;
import dev.hapax.store.jdbc.Session;
import dev.hapax.store.jdbc.Tables;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** All statements of the writer on one connection. */
final class PostgresTables implements AutoCloseable {
  private static final String ADOPT =
      "UPDATE run SET owner = :owner WHERE owner IS NOT NULL AND owner <> :owner RETURNING number";

  /** Other nodes write theirs; it never goes back. */
  private static final String SET_NEWEST_AT =
      "UPDATE meta SET value = greatest(value, :at) WHERE name = 'newest_at'";

  private final Session session;
  private final Tables tables;
  private final Script.Prepared scripts;
  private final Prepared fence;
  private final Prepared setNewestAt;
  private final Prepared endOthers;
  private final Prepared adopt;

  PostgresTables(Session session) throws SQLException {
    this.session = session;
    this.tables =
        new Tables(session, PostgresKeyIndex.ofRuns(session), PostgresKeyIndex.ofEffects(session));
    this.scripts = new Script.Prepared(session);
    this.fence = session.prepare(PostgresLease.FENCE);
    this.setNewestAt = session.prepare(SET_NEWEST_AT);
    this.endOthers = session.prepare("DELETE FROM lease WHERE node <> :node");
    this.adopt = session.prepare(ADOPT);
  }

  Session session() {
    return session;
  }

  /** What groups are written to. */
  Tables groups() {
    return tables;
  }

  Script script() {
    return new Script(scripts);
  }

  /** Whether the lease is still ours; it stays so until the transaction ends. */
  boolean isFenced(PostgresLease lease) throws SQLException {
    return fence.with(lease.node()).with(lease.epoch()).first(row -> row.flag(1)) != null;
  }

  void rollBack() throws SQLException {
    tables.rolledBack();
    session.connection().rollback();
  }

  void setNewestAt(Instant at) throws SQLException {
    setNewestAt.with(at).update();
  }

  /**
   * One node at a time so far: whoever comes last takes over what the others have. Deleting their
   * leases waits for their open transactions, and later ones of theirs write nothing.
   */
  List<Long> adopt(PostgresLease lease, long owner) throws SQLException {
    endOthers.with(lease.node()).update();
    return adopt.with(owner).all(row -> row.number(1));
  }

  @Override
  public void close() throws SQLException {
    session.close();
  }
}
