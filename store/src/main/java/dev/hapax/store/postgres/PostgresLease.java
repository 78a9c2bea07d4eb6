package dev.hapax.store.postgres;

import dev.hapax.flow.StoreRefused;
import dev.hapax.store.NodeReport;
import dev.hapax.store.jdbc.Session;
import dev.hapax.time.IdSource;
import java.sql.SQLException;

/**
 * This process's right to write: a row under a random number, new at every start.
 *
 * @param node never a host's name or a process id, which can recur
 * @param mark a part of every number that the node makes
 */
record PostgresLease(long node, int mark) {
  private static final int MOST_TRIES = 100;

  /** No node has this number. */
  private static final long NOBODY = -1;

  /**
   * Takes any free mark. A rival that takes the same one is waited for; then this finds nothing and
   * is tried again.
   */
  private static final String JOIN =
      """
      INSERT INTO lease (node, mark, held_since, expires_at)
      SELECT ('x' || substr(md5(cast(gen_random_uuid() AS text)), 1, 15))::bit(60)::bigint, free,
        clock_timestamp(), clock_timestamp() + %d * interval '1 ms'
      FROM generate_series(0, %d) AS free WHERE free NOT IN (SELECT mark FROM lease) ORDER BY random() LIMIT 1
      ON CONFLICT (mark) DO NOTHING
      RETURNING node, mark
      """
          .formatted(NodeReport.LEASE.toMillis(), IdSource.MOST_MARKS - 1);

  /**
   * Ends expired leases, except those whose node has a transaction open: it holds the row FOR
   * SHARE. This does not wait for it, because this node's own renewal would wait too; the server
   * ends a transaction that hangs, and the next look finds the row free. No node judges itself: a
   * renewal may take longer than the lease.
   */
  static final String END_EXPIRED =
      """
      DELETE FROM lease WHERE node IN (
        SELECT node FROM lease WHERE expires_at < clock_timestamp() AND node <> :me FOR UPDATE SKIP LOCKED)
      """;

  /**
   * Part of every transaction that writes. FOR SHARE and nothing weaker: with a plain SELECT, or
   * FOR KEY SHARE, a row of a node that has lost its lease lands after the takeover (measured).
   */
  String fence() {
    return "SELECT 1 FROM lease WHERE node = %d FOR SHARE".formatted(node);
  }

  static PostgresLease join(Session session) throws SQLException {
    try (var join = session.prepare(JOIN);
        var end = session.prepare(END_EXPIRED)) {
      for (int tries = 0; tries < MOST_TRIES; tries++) {
        PostgresLease lease =
            join.first(row -> new PostgresLease(row.number(1), (int) row.number(2)));
        if (lease != null) {
          return lease;
        }
        end.with(NOBODY).update();
      }
    }
    throw new StoreRefused(
        "%d nodes use this database already, which is the limit. Stop one of them first"
            .formatted(IdSource.MOST_MARKS),
        null);
  }

  void leave(Session session) throws SQLException {
    try (var leave = session.prepare("DELETE FROM lease WHERE node = :node")) {
      leave.with(node).update();
    }
  }
}
