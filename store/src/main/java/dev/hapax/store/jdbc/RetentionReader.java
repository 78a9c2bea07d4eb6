package dev.hapax.store.jdbc;

import dev.hapax.flow.Flow;
import dev.hapax.store.RetentionReads.Counts;
import dev.hapax.store.RetentionReads.Expiring;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queries about what is kept, on one connection. Used by one thread. */
final class RetentionReader {
  private static final String RUNS =
      "SELECT number FROM run WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit";

  private static final String JOURNALS =
      "SELECT number FROM expired_run WHERE journal_left = 1 ORDER BY number LIMIT :limit";

  private static final String TOMBSTONES =
      "SELECT number FROM expired_run WHERE until <= :now AND journal_left = 0 ORDER BY until LIMIT :limit";

  private static final String NEXT =
      """
      SELECT min(at) FROM (
        SELECT min(expires_at) AS at FROM run WHERE expires_at IS NOT NULL
        UNION ALL SELECT min(until) FROM expired_run
        UNION ALL SELECT 0 WHERE EXISTS (SELECT 1 FROM expired_run WHERE journal_left = 1))
      """;

  /** So that the commits of one group stay short, also when every journal in it is long. */
  private static final int MOST_JOURNALS = 4;

  private final Prepared runs;
  private final Prepared journals;
  private final Prepared tombstones;
  private final Prepared next;
  private final Prepared keep;
  private final Prepared keptUntil;
  private final Prepared count;

  RetentionReader(Session session) throws SQLException {
    this.runs = session.prepare(RUNS);
    this.journals = session.prepare(JOURNALS);
    this.tombstones = session.prepare(TOMBSTONES);
    this.next = session.prepare(NEXT);
    this.keep = session.prepare("SELECT keep FROM retention WHERE flow = :flow");
    this.keptUntil = session.prepare("SELECT expires_at FROM run WHERE number = :run");
    this.count = session.prepare("SELECT value FROM meta WHERE name = :name");
  }

  Expiring expiring(Instant now, int limit) throws SQLException {
    List<Long> ended = runs.with(now).with(limit).all(row -> row.number(1));
    List<Long> left = journals.with(Math.min(limit, MOST_JOURNALS)).all(row -> row.number(1));
    List<Long> over = tombstones.with(now).with(limit).all(row -> row.number(1));
    return new Expiring(ended, left, over);
  }

  @Nullable Instant next() throws SQLException {
    Found first = next.first(row -> new Found(row.atOrNull(1)));
    return first == null ? null : first.at();
  }

  Duration keep(String flow) throws SQLException {
    Long millis = keep.with(flow).first(row -> row.number(1));
    return millis == null ? Flow.DEFAULT_RETENTION : Duration.ofMillis(millis);
  }

  @Nullable Instant runKeptUntil(long run) throws SQLException {
    Found found = keptUntil.with(run).first(row -> new Found(row.atOrNull(1)));
    return found == null ? null : found.at();
  }

  Counts counts() throws SQLException {
    return new Counts(count("runs_expired"), count("tombstones_ended"));
  }

  private long count(String name) throws SQLException {
    Long value = count.with(name).first(row -> row.number(1));
    return value == null ? 0 : value;
  }

  private record Found(@Nullable Instant at) {}
}
