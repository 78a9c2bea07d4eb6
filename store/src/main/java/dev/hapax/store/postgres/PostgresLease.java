package dev.hapax.store.postgres;

import dev.hapax.store.jdbc.Session;
import java.sql.SQLException;
import java.util.Objects;

/**
 * This process's right to write: a row under a random number, made anew at every start.
 *
 * @param node never a host's name or a process id, which come again
 */
record PostgresLease(long node, long epoch) {
  /**
   * The first statement of every transaction that writes. FOR SHARE and nothing weaker: with a
   * plain SELECT, or FOR KEY SHARE, a row of a node that has lost its lease lands after the
   * take-over (measured).
   */
  static final String FENCE = "SELECT 1 FROM lease WHERE node = :node AND epoch = :epoch FOR SHARE";

  /** The same as a part of a script. */
  static final String FENCE_IN_SCRIPT =
      "SELECT 1 FROM lease WHERE node = (cast(? AS bigint[]))[1] AND epoch = (cast(? AS bigint[]))[1] FOR SHARE";

  private static final String JOIN =
      """
      INSERT INTO lease (node, epoch)
      VALUES (('x' || substr(md5(cast(gen_random_uuid() AS text)), 1, 15))::bit(60)::bigint, 1)
      RETURNING node
      """;

  static PostgresLease join(Session session) throws SQLException {
    try (var join = session.prepare(JOIN)) {
      Long node = join.first(row -> row.number(1));
      return new PostgresLease(Objects.requireNonNull(node), 1);
    }
  }

  void leave(Session session) throws SQLException {
    try (var leave = session.prepare("DELETE FROM lease WHERE node = :node")) {
      leave.with(node).update();
    }
  }
}
