package dev.hapax.store.postgres;

import dev.hapax.store.jdbc.Prepared;
import dev.hapax.store.jdbc.Session;
import dev.hapax.store.jdbc.Tables;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** All of the writer's statements on one connection. */
final class PostgresTables implements AutoCloseable {
  /** Other nodes write their times too; it never goes back. */
  private static final String SET_NEWEST_AT =
      "UPDATE meta SET value = greatest(value, :at) WHERE name = 'newest_at'";

  private final Session session;
  private final Tables tables;
  private final Script.Prepared scripts;
  private final Prepared fence;
  private final Prepared setNewestAt;
  private final NodeRows nodes;
  private @Nullable Duration waitsAtMost;

  PostgresTables(Session session, PostgresLease lease) throws SQLException {
    this.session = session;
    this.tables =
        new Tables(session, PostgresKeyIndex.ofRuns(session), PostgresKeyIndex.ofEffects(session));
    this.scripts = new Script.Prepared(session);
    this.fence = session.prepare(lease.fence());
    this.setNewestAt = session.prepare(SET_NEWEST_AT);
    this.nodes = new NodeRows(session, lease);
  }

  Session session() {
    return session;
  }

  /** The tables that groups are written to. */
  Tables groups() {
    return tables;
  }

  Script script() {
    return new Script(scripts);
  }

  /** Whether the lease is still ours; it then stays so until the transaction ends. */
  boolean isFenced() throws SQLException {
    return fence.first(row -> row.flag(1)) != null;
  }

  void rollBack() throws SQLException {
    tables.rolledBack();
    waitsAtMost = null; // a setting goes back with the transaction that set it
    session.connection().rollback();
  }

  Savepoint savepoint() throws SQLException {
    return session.connection().setSavepoint();
  }

  void release(Savepoint savepoint) throws SQLException {
    session.connection().releaseSavepoint(savepoint);
  }

  void rollBackTo(Savepoint savepoint) throws SQLException {
    tables.rolledBack();
    session.connection().rollback(savepoint);
    session.connection().releaseSavepoint(savepoint);
  }

  /**
   * Limits the wait for a lock. Set for the connection and not for the transaction, so it is nearly
   * always set already.
   */
  void waitAtMost(Duration time) throws SQLException {
    if (!time.equals(waitsAtMost)) {
      waitsAtMost = null;
      PostgresConnections.run(
          session.connection(), "SET lock_timeout = " + Math.max(1, time.toMillis()));
      waitsAtMost = time;
    }
  }

  void setNewestAt(Instant at) throws SQLException {
    setNewestAt.with(at).update();
  }

  NodeRows nodes() {
    return nodes;
  }

  @Override
  public void close() throws SQLException {
    session.close();
  }
}
