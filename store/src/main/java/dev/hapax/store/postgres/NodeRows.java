package dev.hapax.store.postgres;

import dev.hapax.store.HeartbeatReply;
import dev.hapax.store.NodeReport;
import dev.hapax.store.jdbc.Prepared;
import dev.hapax.store.jdbc.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writer's statements about nodes and what they own. While nothing happens, a heartbeat needs
 * two of them.
 */
final class NodeRows {
  /** Limits a takeover to what a node can carry, while other nodes take their part. */
  private static final int MOST_ADOPTED = 500;

  private static final Duration SOON = Duration.ofMillis(10);

  /** Also returns whether the node may judge others: see {@code held_since}. */
  private static final String RENEW =
      """
      UPDATE lease SET owner = :owner, renewed_at = clock_timestamp(),
        held_since = CASE WHEN expires_at < clock_timestamp() THEN clock_timestamp() ELSE held_since END,
        expires_at = clock_timestamp() + :lease * interval '1 ms'
      WHERE node = :node
      RETURNING held_since < clock_timestamp() - :lease * interval '1 ms'
      """;

  /**
   * Finds owners in steps through the index, one per owner and not one per run. Every owner of a
   * run but the quarantine had a lease before, so an owner without a lease is gone.
   */
  private static final String LOOK =
      """
      WITH RECURSIVE owned (owner) AS (
        SELECT min(owner) FROM run WHERE owner IS NOT NULL
        UNION ALL
        SELECT (SELECT min(run.owner) FROM run WHERE run.owner > owned.owner) FROM owned WHERE owned.owner IS NOT NULL
      )
      SELECT
        (SELECT string_agg(cast(owner AS text), ',') FROM owned
          WHERE owner IS NOT NULL AND owner <> -1
            AND owner NOT IN (SELECT owner FROM lease WHERE owner IS NOT NULL)),
        (SELECT string_agg(cast(number AS text), ',') FROM run
          WHERE owner IS NOT NULL AND owner = :owner AND cancel IS NOT NULL),
        (SELECT min(due_at) FROM run WHERE due_at IS NOT NULL AND owner IS NULL),
        EXISTS (SELECT 1 FROM lease WHERE expires_at < clock_timestamp()),
        (SELECT count(*) FROM lease)
      """;

  /**
   * A node that hangs inside a transaction keeps its lease by that lock. This limits the time to
   * about one more lease, and never exceeds the setting of every connection.
   */
  private static final String HANG_NO_LONGER =
      "SELECT set_config('idle_in_transaction_session_timeout', cast(least(:lease, 5000) AS text), false)";

  private static final String ADOPT =
      """
      UPDATE run SET owner = :owner WHERE number IN (
        SELECT number FROM run WHERE owner = :gone LIMIT :most FOR UPDATE SKIP LOCKED)
      RETURNING number
      """;

  private final PostgresLease lease;
  private final Prepared renew;
  private final Prepared look;
  private final Prepared endExpired;
  private final Prepared adopt;
  private final Prepared owned;
  private final Prepared hangNoLonger;
  private @Nullable Duration hangsAtMost;

  NodeRows(Session session, PostgresLease lease) throws SQLException {
    this.lease = lease;
    this.renew = session.prepare(RENEW);
    this.look = session.prepare(LOOK);
    this.endExpired = session.prepare(PostgresLease.END_EXPIRED);
    this.adopt = session.prepare(ADOPT);
    this.hangNoLonger = session.prepare(HANG_NO_LONGER);
    this.owned = session.prepare("SELECT number FROM run WHERE owner = :owner");
  }

  /** Returns null if the lease has ended. */
  @Nullable HeartbeatReply heartbeat(NodeReport report) throws SQLException {
    Boolean mayJudge =
        renew
            .with(report.owner())
            .with(report.lease().toMillis())
            .with(lease.node())
            .first(row -> row.flag(1));
    if (mayJudge == null) {
      return null;
    }
    if (!report.lease().equals(hangsAtMost)) {
      hangNoLonger.with(report.lease().toMillis()).first(row -> row.text(1));
      hangsAtMost = report.lease();
    }
    Seen seen = look(report);
    if (mayJudge && seen.someExpired() && endExpired.with(lease.node()).update() > 0) {
      seen = look(report);
    }
    List<Long> adopted = new ArrayList<>();
    int most = Math.min(report.room(), MOST_ADOPTED);
    for (long gone : seen.gone()) {
      adopted.addAll(
          adopt
              .with(report.owner())
              .with(gone)
              .with((long) most - adopted.size())
              .all(row -> row.number(1)));
    }
    boolean isMore = most > 0 && adopted.size() == MOST_ADOPTED;
    return new HeartbeatReply(
        isMore ? SOON : report.lease().dividedBy(3),
        report.recall() ? owned.with(report.owner()).all(row -> row.number(1)) : adopted,
        seen.canceled(),
        seen.nextDue(),
        seen.nodes());
  }

  private Seen look(NodeReport report) throws SQLException {
    Seen seen =
        look.with(report.owner())
            .first(
                row ->
                    new Seen(
                        numbers(row.textOrNull(1)),
                        numbers(row.textOrNull(2)),
                        row.atOrNull(3),
                        row.flag(4),
                        (int) row.number(5)));
    if (seen == null) {
      throw new SQLException("a query without conditions answers with a row");
    }
    return seen;
  }

  private static List<Long> numbers(@Nullable String list) {
    return list == null ? List.of() : Arrays.stream(list.split(",")).map(Long::valueOf).toList();
  }

  private record Seen(
      List<Long> gone,
      List<Long> canceled,
      @Nullable Instant nextDue,
      boolean someExpired,
      int nodes) {}
}
