package dev.hapax.store.postgres;

import dev.hapax.store.NodeLease;
import dev.hapax.store.Provisional;
import dev.hapax.store.jdbc.Key;
import dev.hapax.store.jdbc.Prepared;
import dev.hapax.store.jdbc.Session;
import dev.hapax.store.jdbc.StoreReader;
import java.sql.SQLException;
import java.util.List;

/**
 * Reads in a transaction only where several queries must see one moment: without one, a single
 * query saves a round trip.
 */
final class PostgresReader extends StoreReader {
  /** A node is marked before it owns anything. */
  private static final String NODES =
      """
      SELECT mark, cast(extract(epoch FROM held_since) * 1000 AS bigint),
        cast(extract(epoch FROM coalesce(renewed_at, held_since)) * 1000 AS bigint),
        cast(extract(epoch FROM expires_at) * 1000 AS bigint),
        (SELECT count(*) FROM run WHERE run.owner IS NOT NULL AND run.owner = lease.owner)
      FROM lease ORDER BY mark
      """;

  private final Session session;
  private final Prepared outcome;
  private final Prepared number;

  private PostgresReader(Session session) throws SQLException {
    super(session);
    this.session = session;
    this.number = session.prepare(new PostgresDialect().runByKey());
    this.outcome = session.prepare("SELECT pg_xact_status(cast(:transaction AS xid8))");
  }

  /** Takes the session over. */
  static PostgresReader on(Session session) throws SQLException {
    try {
      return new PostgresReader(session);
    } catch (SQLException e) {
      session.close();
      throw e;
    }
  }

  /** Whether no run has or had this key. */
  boolean isFree(Key key) throws SQLException {
    return number.with(key.bytes()).first(row -> row.number(1)) == null;
  }

  /** The nodes that have a lease now. */
  List<NodeLease> nodes() throws SQLException {
    try (var query = session.prepare(NODES)) {
      return query.all(
          row ->
              new NodeLease(
                  Math.toIntExact(row.number(1)), row.at(2), row.at(3), row.at(4), row.number(5)));
    }
  }

  /** Returns the outcome of a caller's transaction, as long as the server remembers it. */
  Provisional.Outcome outcome(String transaction) throws SQLException {
    String status = outcome.with(transaction).first(row -> String.valueOf(row.textOrNull(1)));
    return switch (String.valueOf(status)) {
      case "in progress" -> Provisional.Outcome.OPEN;
      case "aborted" -> Provisional.Outcome.ROLLED_BACK;
      default -> Provisional.Outcome.COMMITTED; // or too long ago for the server to know: we look
    };
  }

  @Override
  protected void begin() {}

  @Override
  protected void oneMoment() throws SQLException {
    session.connection().setAutoCommit(false);
  }

  @Override
  protected void end() throws SQLException {
    if (!session.connection().getAutoCommit()) {
      session.connection().commit();
      session.connection().setAutoCommit(true);
    }
  }
}
