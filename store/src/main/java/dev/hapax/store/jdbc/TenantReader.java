package dev.hapax.store.jdbc;

import dev.hapax.flow.TenantContent;
import dev.hapax.store.ErasablePage;
import java.sql.SQLException;
import java.util.List;

/**
 * Counts what a tenant has in the store. There is no index for it: each question reads the rows of
 * all tenants, so it is asked rarely. Used by one thread.
 */
final class TenantReader {
  private static final String RUNS =
      """
      SELECT count(*), coalesce(sum(octet_length(input) + coalesce(octet_length(output), 0)
        + coalesce(octet_length(error), 0) + octet_length(key)), 0) FROM run WHERE tenant = :tenant
      """;

  private static final String JOURNALS =
      """
      SELECT count(*), coalesce(sum(octet_length(entries) + coalesce(octet_length(answers), 0)), 0)
      FROM journal WHERE run IN (SELECT number FROM run WHERE tenant = :tenant)
      """;

  private static final String EFFECTS =
      """
      SELECT count(*), coalesce(sum(octet_length(key) + coalesce(octet_length(request), 0)
        + coalesce(octet_length(result), 0) + coalesce(octet_length(evidence), 0)), 0)
      FROM effect WHERE tenant = :tenant
      """;

  private static final String OPEN_EFFECTS =
      """
      SELECT count(*), 0 FROM effect
      WHERE tenant = :tenant AND state NOT IN ('done', 'failed', 'abandoned', 'undone')
      """;

  private static final String EVENTS =
      "SELECT count(*), coalesce(sum(octet_length(payload)), 0) FROM inbox WHERE tenant = :tenant";

  private static final String WAITS =
      """
      SELECT count(*), coalesce(sum(coalesce(octet_length(ask), 0) + coalesce(octet_length(decision), 0)), 0)
      FROM wait WHERE tenant = :tenant
      """;

  private static final String ENTRIES =
      """
      SELECT count(*), coalesce(sum(octet_length(key) + octet_length(value)), 0) FROM kv WHERE tenant = :tenant
      """;

  private static final String RESOURCES =
      "SELECT count(*), coalesce(sum(size), 0) FROM resource WHERE tenant = :tenant";

  private static final String JOBS =
      "SELECT count(*), coalesce(sum(octet_length(spec)), 0) FROM job WHERE tenant = :tenant";

  private static final String JOB_ITEMS =
      """
      SELECT count(*), coalesce(sum(octet_length(subject) + coalesce(octet_length(key), 0)
        + coalesce(octet_length(detail), 0) + coalesce(octet_length(problem), 0)), 0)
      FROM job_item WHERE job IN (SELECT number FROM job WHERE tenant = :tenant)
      """;

  private static final String STARTED =
      "SELECT count(*), 0 FROM run WHERE number >= :first AND tenant = :tenant AND parent IS NULL";

  private final Session session;

  TenantReader(Session session) {
    this.session = session;
  }

  private record Part(long count, long bytes) {}

  TenantContent content(String tenant) throws SQLException {
    Part runs = part(RUNS, tenant);
    Part expired = part("SELECT count(*), 0 FROM expired_run WHERE tenant = :tenant", tenant);
    Part forgotten = part("SELECT count(*), 0 FROM expired_effect WHERE tenant = :tenant", tenant);
    Part journals = part(JOURNALS, tenant);
    Part effects = part(EFFECTS, tenant);
    Part events = part(EVENTS, tenant);
    Part waits = part(WAITS, tenant);
    Part entries = part(ENTRIES, tenant);
    Part schedules = part("SELECT count(*), 0 FROM schedule WHERE tenant = :tenant", tenant);
    Part resources = part(RESOURCES, tenant);
    Part jobs = part(JOBS, tenant);
    Part items = part(JOB_ITEMS, tenant);
    long rows = 0;
    long bytes = 0;
    for (Part one :
        List.of(
            runs, expired, forgotten, journals, effects, events, waits, entries, schedules,
            resources, jobs, items)) {
      rows += one.count();
      bytes += one.bytes();
    }
    return new TenantContent(
        runs.count(),
        expired.count(),
        journals.count(),
        effects.count(),
        part(OPEN_EFFECTS, tenant).count(),
        forgotten.count(),
        events.count(),
        waits.count(),
        entries.count(),
        schedules.count(),
        resources.count(),
        jobs.count() + items.count(),
        bytes + rows * TenantContent.PER_ROW);
  }

  ErasablePage erasable(String tenant, ErasablePage.After after, int limit) throws SQLException {
    return new ErasablePage(
        numbers("run", tenant, after.run(), limit),
        numbers("expired_run", tenant, after.expired(), limit),
        numbers("effect", tenant, after.effect(), limit),
        numbers("expired_effect", tenant, after.expiredEffect(), limit));
  }

  private List<Long> numbers(String table, String tenant, long after, int limit)
      throws SQLException {
    try (var query =
        session.prepare(
            "SELECT number FROM "
                + table
                + " WHERE number > :after AND tenant = :tenant ORDER BY number LIMIT :limit")) {
      return query.with(after).with(tenant).with(limit).all(row -> row.number(1));
    }
  }

  long runsSince(String tenant, long first) throws SQLException {
    try (var query = session.prepare(STARTED)) {
      Long count = query.with(first).with(tenant).first(row -> row.number(1));
      return count == null ? 0 : count;
    }
  }

  private Part part(String sql, String tenant) throws SQLException {
    try (var query = session.prepare(sql)) {
      Part part = query.with(tenant).first(row -> new Part(row.number(1), row.number(2)));
      return part == null ? new Part(0, 0) : part;
    }
  }
}
