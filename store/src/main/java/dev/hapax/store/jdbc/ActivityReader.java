package dev.hapax.store.jdbc;

import dev.hapax.flow.Activity;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.StoppedDuplicate.Door;
import dev.hapax.run.StoppedDoors;
import dev.hapax.time.IdSource;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a tenant's runs did. Rows lie in order of creation, so a span is a range of the
 * table; what is open has an index. No index of them begins with the tenant, so each question reads
 * the newest or oldest rows of all tenants, a bounded number, and only then looks whose they are:
 * the rows of others are one group, whose count says whether the bound was met. Used by one thread.
 */
final class ActivityReader {
  private static final String CREATED =
      """
      SELECT own, flow, status, slot, count(*) FROM (
        SELECT own,
          CASE WHEN own = 1 THEN flow END AS flow,
          CASE WHEN own = 1 THEN status END AS status,
          CASE WHEN own = 1 THEN (number - :first) / :width END AS slot
        FROM (
          SELECT CASE WHEN tenant = :tenant THEN 1 ELSE 0 END AS own, flow, status, number FROM run
          WHERE number >= :first AND number < :last
          ORDER BY number DESC LIMIT :most) AS newest) AS placed
      GROUP BY own, flow, status, slot ORDER BY slot, flow, status
      """;

  private static final String FAILED =
      """
      SELECT own, flow, code, count(*) FROM (
        SELECT own,
          CASE WHEN own = 1 THEN flow END AS flow,
          CASE WHEN own = 1 THEN coalesce((code), '') END AS code
        FROM (
          SELECT CASE WHEN tenant = :tenant THEN 1 ELSE 0 END AS own, flow, error FROM run
          WHERE status = :status AND status NOT IN ('running', 'succeeded')
            AND number >= :first AND number < :last
          ORDER BY number DESC LIMIT :most) AS newest) AS coded
      GROUP BY own, flow, code
      """;

  /** What the nodes have in memory, which is bounded by itself. */
  private static final String RUNNING =
      """
      SELECT 1, flow, count(*), min(number) FROM run
      WHERE owner IS NOT NULL AND status = 'running' AND tenant = :tenant GROUP BY flow
      """;

  private static final String WAITING =
      """
      SELECT own, flow, count(*), min(number) FROM (
        SELECT own, CASE WHEN own = 1 THEN flow END AS flow, number FROM (
          SELECT CASE WHEN tenant = :tenant THEN 1 ELSE 0 END AS own, flow, number FROM run
          WHERE status = 'waiting' AND status NOT IN ('running', 'succeeded')
          ORDER BY number LIMIT :most) AS oldest) AS named
      GROUP BY own, flow
      """;

  /** The column before the comparison is that of the database's index. */
  private static final String EFFECTS =
      """
      SELECT oldest.own, run.flow, count(*), min(oldest.number) FROM (
        SELECT CASE WHEN tenant = :tenant THEN 1 ELSE 0 END AS own, number, run FROM effect
        WHERE (state) = :state AND state NOT IN ('pending', 'done')
        ORDER BY number LIMIT :most) AS oldest
      LEFT JOIN run ON oldest.own = 1 AND run.number = oldest.run
      GROUP BY oldest.own, run.flow
      """;

  /** The index of open approvals begins with the tenant. */
  private static final String APPROVALS =
      """
      SELECT 1, run.flow, count(*), min(oldest.number) FROM (
        SELECT number, run FROM wait WHERE kind = 'approval' AND state = 'open' AND tenant = :tenant
        ORDER BY number LIMIT :most) AS oldest
      LEFT JOIN run ON run.number = oldest.run
      GROUP BY run.flow
      """;

  /** Its first part is the number of rows that were read. */
  private static final String STOPPED =
      """
      WITH newest AS (
        SELECT run, count, notes FROM duplicate WHERE run >= :first AND run < :last
        ORDER BY run DESC LIMIT :most)
      SELECT 0 AS own, NULL AS flow, count(*) AS count, NULL AS notes FROM newest
      UNION ALL
      SELECT 1 AS own, run.flow, newest.count, newest.notes FROM newest
      JOIN run ON run.number = newest.run
      WHERE run.tenant = :tenant
      """;

  private static final String REUSED =
      """
      SELECT newest.own, run.flow, count(*) FROM (
        SELECT CASE WHEN tenant = :tenant AND reused_by IS NOT NULL THEN 1 ELSE 0 END AS own, run
        FROM effect
        WHERE number >= :first AND number < :last
        ORDER BY number DESC LIMIT :most) AS newest
      LEFT JOIN run ON newest.own = 1 AND run.number = newest.run
      GROUP BY newest.own, run.flow
      """;

  private final Session session;
  private final String tenant;
  private final Activity.Span span;
  private final long first;
  private final long last;
  private boolean isWhole = true;

  ActivityReader(Session session, String tenant, Activity.Span span) {
    this.session = session;
    this.tenant = tenant;
    this.span = span;
    this.first = IdSource.firstAt(span.from());
    this.last = IdSource.firstAt(span.to());
  }

  Activity read() throws SQLException {
    List<Activity.Created> created = created();
    var failed = new ArrayList<Activity.Failed>();
    failed.addAll(failed(RunStatus.FAILED));
    failed.addAll(failed(RunStatus.PARTIAL));
    var open = new ArrayList<Activity.Open>();
    open.addAll(running());
    open.addAll(oldest(Activity.Kind.WAITING, WAITING, null));
    String effects = EFFECTS.replace("(state)", session.dialect().unusualState());
    open.addAll(oldest(Activity.Kind.DOUBT, effects, "doubt"));
    open.addAll(oldest(Activity.Kind.REVIEW, effects, "review"));
    open.addAll(oldest(Activity.Kind.APPROVAL, APPROVALS, null));
    List<Activity.Stopped> stopped = stopped();
    List<Activity.Reused> reused = reused();
    return new Activity(created, failed, open, stopped, reused, isWhole);
  }

  /**
   * A group of the rows that were read.
   *
   * @param of what it counts; null for the rows that are not to be seen
   */
  private record Counted<T>(@Nullable T of, long count) {}

  @FunctionalInterface
  private interface Maker<T> {
    T make(Row row) throws SQLException;
  }

  /** Reads a group, whose first column is 1 if it is to be seen. */
  private static <T> Counted<T> counted(Row row, int count, Maker<T> maker) throws SQLException {
    return new Counted<>(row.number(1) == 1 ? maker.make(row) : null, row.number(count));
  }

  /** Returns what is to be seen of all that was read. */
  private <T> List<T> seen(List<Counted<T>> groups) {
    met(groups.stream().mapToLong(Counted::count).sum());
    var seen = new ArrayList<T>();
    for (Counted<T> group : groups) {
      T of = group.of();
      if (of != null) {
        seen.add(of);
      }
    }
    return seen;
  }

  private void met(long rows) {
    isWhole &= rows < span.most();
  }

  private List<Activity.Created> created() throws SQLException {
    try (var query = session.prepare(CREATED)) {
      return seen(
          query
              .with(first)
              .with(IdSource.firstAt(Instant.EPOCH.plus(span.slot())))
              .with(tenant)
              .with(last)
              .with(span.most())
              .all(
                  group ->
                      counted(
                          group,
                          5,
                          row ->
                              new Activity.Created(
                                  row.text(2),
                                  RunStatus.of(row.text(3)),
                                  Math.toIntExact(row.number(4)),
                                  row.number(5)))));
    }
  }

  private List<Activity.Failed> failed(RunStatus status) throws SQLException {
    try (var query = session.prepare(FAILED.replace("(code)", session.dialect().errorCode()))) {
      return seen(
          query
              .with(tenant)
              .with(status.word())
              .with(first)
              .with(last)
              .with(span.most())
              .all(
                  group ->
                      counted(
                          group,
                          4,
                          row -> new Activity.Failed(row.text(2), row.text(3), row.number(4)))));
    }
  }

  private List<Activity.Open> running() throws SQLException {
    try (var query = session.prepare(RUNNING)) {
      return query.with(tenant).all(row -> open(row, Activity.Kind.RUNNING));
    }
  }

  private List<Activity.Open> oldest(Activity.Kind kind, String sql, @Nullable String state)
      throws SQLException {
    try (var query = session.prepare(sql)) {
      query.with(tenant);
      return seen(
          (state == null ? query : query.with(state))
              .with(span.most())
              .all(group -> counted(group, 3, row -> open(row, kind))));
    }
  }

  private static Activity.Open open(Row row, Activity.Kind kind) throws SQLException {
    return new Activity.Open(
        row.textOrNull(2), kind, row.number(3), IdSource.timeOf(row.number(4)));
  }

  private record FlowDoor(String flow, Door door) {}

  private record StoppedRow(String flow, Map<Door, Long> doors) {}

  private List<Activity.Stopped> stopped() throws SQLException {
    List<Counted<StoppedRow>> rows;
    try (var query = session.prepare(STOPPED)) {
      rows =
          query
              .with(first)
              .with(last)
              .with(span.most())
              .with(tenant)
              .all(
                  group ->
                      counted(
                          group,
                          3,
                          row ->
                              new StoppedRow(
                                  row.text(2), StoppedDoors.of(row.number(3), row.textOrNull(4)))));
    }
    var counts = new HashMap<FlowDoor, Long>();
    for (Counted<StoppedRow> group : rows) {
      StoppedRow row = group.of();
      if (row == null) {
        met(group.count());
        continue;
      }
      row.doors()
          .forEach((door, count) -> counts.merge(new FlowDoor(row.flow(), door), count, Long::sum));
    }
    return counts.entrySet().stream()
        .map(
            entry ->
                new Activity.Stopped(
                    entry.getKey().flow(),
                    entry.getKey().door(),
                    Objects.requireNonNull(entry.getValue())))
        .toList();
  }

  private List<Activity.Reused> reused() throws SQLException {
    try (var query = session.prepare(REUSED)) {
      return seen(
          query
              .with(tenant)
              .with(first)
              .with(last)
              .with(span.most())
              .all(
                  group ->
                      counted(
                          group, 3, row -> new Activity.Reused(row.textOrNull(2), row.number(3)))));
    }
  }
}
