package dev.hapax.store.jdbc;

import dev.hapax.json.Json;
import dev.hapax.run.SearchEntry;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.store.Change;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The writer's statements that erase a tenant, some rows of each table at a time. */
final class ErasureRows {
  private static final String CLEAR_JOURNAL =
      """
      DELETE FROM journal WHERE run = :run AND seq < :most + (SELECT min(seq) FROM journal WHERE run = :run)
      """;

  private static final String CLEARED_RUNS =
      """
      SELECT number, id FROM run WHERE number IN (%s) AND tenant = :tenant
        AND NOT EXISTS (SELECT 1 FROM journal WHERE journal.run = run.number)
      ORDER BY number
      """;

  private static final String CLEARED_EXPIRED =
      """
      SELECT number, id FROM expired_run WHERE number IN (%s) AND tenant = :tenant
        AND NOT EXISTS (SELECT 1 FROM journal WHERE journal.run = expired_run.number)
      ORDER BY number
      """;

  private static final String EFFECTS =
      """
      SELECT tenant, name, key, additive_run, number, revision FROM effect WHERE number IN (%s) AND tenant = :tenant
      ORDER BY number
      """;

  /** All that is stored by the number of a run. */
  private static final List<String> OF_RUNS =
      List.of(
          "DELETE FROM duplicate WHERE run IN (%s)",
          "DELETE FROM later_answer WHERE wait IN (SELECT number FROM wait WHERE run IN (%s))",
          "DELETE FROM wait WHERE run IN (%s)",
          "DELETE FROM waiter WHERE subject IN (%s)",
          "DELETE FROM hold WHERE run IN (%s)",
          "DELETE FROM line WHERE run IN (%s)",
          "DELETE FROM forgotten WHERE run IN (%s)",
          "DELETE FROM succession WHERE run IN (%s)",
          "DELETE FROM resource_ref WHERE subject IN (%s)",
          "DELETE FROM expired_run WHERE number IN (%s)",
          "DELETE FROM run WHERE number IN (%s)");

  /** All that is stored by the number of an effect. */
  private static final List<String> OF_EFFECTS =
      List.of(
          "DELETE FROM revision WHERE effect IN (%s)",
          "DELETE FROM effect_reference WHERE effect IN (%s)",
          "DELETE FROM waiter WHERE subject IN (%s)",
          "DELETE FROM resource_ref WHERE subject IN (%s)",
          "DELETE FROM effect WHERE number IN (%s)");

  private static final List<String> OF_EXPIRED_EFFECTS =
      List.of(
          "DELETE FROM revision WHERE effect IN (%s)",
          "DELETE FROM expired_effect WHERE number IN (%s)");

  /** Some rows of the tables that begin with the tenant. */
  private static final List<String> OF_TENANT =
      List.of(
          """
          DELETE FROM search WHERE tenant = :tenant AND (field, text, number) IN (
            SELECT field, text, number FROM search WHERE tenant = :tenant LIMIT :most)
          """,
          "DELETE FROM inbox WHERE number IN (SELECT number FROM inbox WHERE tenant = :tenant LIMIT :most)",
          """
          DELETE FROM inbox_object WHERE tenant = :tenant AND (source, object) IN (
            SELECT source, object FROM inbox_object WHERE tenant = :tenant LIMIT :most)
          """,
          """
          DELETE FROM schedule WHERE tenant = :tenant AND name IN (
            SELECT name FROM schedule WHERE tenant = :tenant LIMIT :most)
          """,
          """
          DELETE FROM resource_ref WHERE subject IN (SELECT number FROM kv WHERE tenant = :tenant ORDER BY number LIMIT :most)
          """,
          "DELETE FROM kv WHERE number IN (SELECT number FROM kv WHERE tenant = :tenant ORDER BY number LIMIT :most)",
          """
          DELETE FROM job_item WHERE (job, position) IN (
            SELECT job, position FROM job_item WHERE job IN (SELECT number FROM job WHERE tenant = :tenant) LIMIT :most)
          """,
          "DELETE FROM subject_erasure WHERE tenant = :tenant AND :most > 0",
          """
          DELETE FROM job WHERE number IN (SELECT number FROM job WHERE tenant = :tenant AND NOT EXISTS
            (SELECT 1 FROM job_item WHERE job_item.job = job.number) ORDER BY number LIMIT :most)
          """);

  private static final String RESOURCES =
      "SELECT number FROM resource WHERE tenant = :tenant ORDER BY number LIMIT :most";

  private static final String PARTS =
      """
      DELETE FROM resource_part WHERE resource = :resource AND part IN
        (SELECT part FROM resource_part WHERE resource = :resource ORDER BY part LIMIT :most)
      """;

  private static final String RESOURCE =
      """
      DELETE FROM resource
      WHERE number = :resource AND NOT EXISTS (SELECT 1 FROM resource_part WHERE resource = :resource)
      """;

  /** Parts are large, so fewer of them than of other rows. */
  private static final int MOST_PARTS = 20;

  private final Session session;
  private final KeyIndex runKeys;
  private final KeyIndex effectKeys;
  private final SearchRows search;
  private final RunLock lock;

  ErasureRows(Session session, KeyIndex runKeys, KeyIndex effectKeys, SearchRows search)
      throws SQLException {
    this.search = search;
    this.session = session;
    this.runKeys = runKeys;
    this.effectKeys = effectKeys;
    this.lock = new RunLock(session);
  }

  /** Prepares its statements each time: erasing is rare. */
  void erase(Change.EraseTenant change) throws SQLException {
    eraseRuns(change.tenant(), change.rows().runs(), CLEARED_RUNS);
    eraseRuns(change.tenant(), change.rows().expired(), CLEARED_EXPIRED);
    eraseEffects(change.tenant(), change.rows().effects());
    eraseExpiredEffects(change.tenant(), change.rows().expiredEffects());
    for (String sql : OF_TENANT) {
      try (Prepared statement = session.prepare(sql)) {
        statement.with(change.tenant()).with(change.most()).update();
      }
    }
    eraseResources(change.tenant());
  }

  /** A run whose journal is long stays until all of its journal is gone. */
  private void eraseRuns(String tenant, List<Long> runs, String cleared) throws SQLException {
    if (runs.isEmpty()) {
      return;
    }
    try (Prepared clear = session.prepare(CLEAR_JOURNAL);
        Prepared find = session.prepare(cleared, ":runs")) {
      List<Long> ours = owned(tenant, runs, cleared);
      for (long run : ours) {
        lock.take(run);
        clear.with(run).with(RetentionRule.MOST_JOURNAL_ROWS).update();
      }
      List<Key> ids = new ArrayList<>();
      List<Long> going = new ArrayList<>();
      find.with(Json.write(ours))
          .with(tenant)
          .all(
              row -> {
                going.add(row.number(1));
                return ids.add(Key.of(row.bytes(2)));
              });
      search.removeRuns(going);
      delete(OF_RUNS, going);
      runKeys.remove(ids);
    }
  }

  /** The numbers that were read before are checked: nothing of another tenant is touched. */
  private List<Long> owned(String tenant, List<Long> runs, String cleared) throws SQLException {
    String table = cleared.equals(CLEARED_RUNS) ? "run" : "expired_run";
    try (Prepared find =
        session.prepare(
            "SELECT number FROM "
                + table
                + " WHERE number IN (%s) AND tenant = :tenant ORDER BY number",
            ":runs")) {
      return find.with(Json.write(runs)).with(tenant).all(row -> row.number(1));
    }
  }

  private void eraseEffects(String tenant, List<Long> effects) throws SQLException {
    if (effects.isEmpty()) {
      return;
    }
    List<Key> hashes = new ArrayList<>();
    List<SearchEntry> entries = new ArrayList<>();
    List<Long> going = new ArrayList<>();
    try (Prepared find = session.prepare(EFFECTS, ":effects")) {
      find.with(Json.write(effects))
          .with(tenant)
          .all(
              row -> {
                going.add(row.number(5));
                entries.addAll(
                    SearchEntry.ofEffect(
                        row.number(5), EffectMapping.key(row), (int) row.number(6)));
                return hashes.add(Key.ofEffect(row));
              });
    }
    search.remove(entries);
    delete(OF_EFFECTS, going);
    effectKeys.remove(hashes);
  }

  private void eraseExpiredEffects(String tenant, List<Long> effects) throws SQLException {
    if (effects.isEmpty()) {
      return;
    }
    List<Key> hashes = new ArrayList<>();
    List<Long> going = new ArrayList<>();
    try (Prepared find =
        session.prepare(
            "SELECT number, hash FROM expired_effect WHERE number IN (%s) AND tenant = :tenant",
            ":effects")) {
      find.with(Json.write(effects))
          .with(tenant)
          .all(
              row -> {
                going.add(row.number(1));
                return hashes.add(Key.of(row.bytes(2)));
              });
    }
    delete(OF_EXPIRED_EFFECTS, going);
    effectKeys.remove(hashes);
  }

  private void delete(List<String> statements, List<Long> numbers) throws SQLException {
    if (numbers.isEmpty()) {
      return;
    }
    for (String sql : statements) {
      try (Prepared statement = session.prepare(sql, ":numbers")) {
        statement.with(Json.write(numbers)).update();
      }
    }
  }

  private void eraseResources(String tenant) throws SQLException {
    try (Prepared find = session.prepare(RESOURCES);
        Prepared parts = session.prepare(PARTS);
        Prepared references =
            session.prepare("DELETE FROM resource_ref WHERE resource = :resource");
        Prepared resource = session.prepare(RESOURCE)) {
      int rest = MOST_PARTS;
      for (long number : find.with(tenant).with(MOST_PARTS).all(row -> row.number(1))) {
        if (rest <= 0) {
          return;
        }
        references.with(number).update();
        rest -= Math.max(1, parts.with(number).with(rest).update());
        resource.with(number).update();
      }
    }
  }
}
