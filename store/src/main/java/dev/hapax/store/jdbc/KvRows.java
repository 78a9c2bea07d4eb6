package dev.hapax.store.jdbc;

import dev.hapax.flow.KvEntry;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.KvAction;
import dev.hapax.run.value.KvRequest;
import dev.hapax.store.Change;
import java.sql.SQLException;
import java.time.Instant;

/** The writer's statements on {@code kv}. */
final class KvRows {
  static final String COLUMNS = "number, tenant, key, value, version, expires_at";

  private static final String FIND =
      "SELECT " + COLUMNS + " FROM kv WHERE tenant = :tenant AND key = :key";

  private static final String INSERT =
      "INSERT INTO kv ("
          + COLUMNS
          + ") VALUES (:number, :tenant, :key, :value, :version, :expires_at)";

  /**
   * Replaces an entry in its row: another node that waited for the row then reads the new entry. If
   * the row were deleted and inserted again, that node would see no entry.
   */
  private static final String REPLACE =
      """
      UPDATE kv SET number = :number, value = :value, version = :version, expires_at = :expires_at
      WHERE number = :replaced
      """;

  private static final String NEXT_VERSION =
      "UPDATE meta SET value = value + 1 WHERE name = 'kv_version' RETURNING value";

  private static final String COLLECT =
      """
      DELETE FROM kv WHERE number IN
        (SELECT number FROM kv WHERE expires_at IS NOT NULL AND expires_at <= :at ORDER BY expires_at, number LIMIT :most)
      RETURNING number
      """;

  private final ResourceRows resources;
  private final Prepared find;
  private final Prepared insert;
  private final Prepared replace;
  private final Prepared delete;
  private final Prepared nextVersion;
  private final Prepared collect;

  KvRows(Session session, ResourceRows resources) throws SQLException {
    this.resources = resources;
    this.find = session.prepare(FIND + session.dialect().forUpdate());
    this.insert = session.prepare(INSERT);
    this.replace = session.prepare(REPLACE);
    this.delete = session.prepare("DELETE FROM kv WHERE number = :number");
    this.nextVersion = session.prepare(NEXT_VERSION);
    this.collect = session.prepare(COLLECT);
  }

  Answer.Kv answer(KvRequest request, Instant at) throws SQLException {
    KvEntry found = find.with(request.tenant()).with(request.key()).first(KvRows::entry);
    KvEntry present = KvEntry.at(at, found);
    if (!request.writesOver(present)) {
      return KvRequest.standing(present);
    }
    if (found != null) {
      resources.drop(found.number());
    }
    var answer = new Answer.Kv(null, KvEntry.ABSENT, true);
    if (request.action() != KvAction.DELETE) {
      KvEntry entry = request.entry(present, nextVersion());
      if (found == null) {
        insert(entry);
      } else {
        replace(found, entry);
      }
      resources.refer(entry.number(), entry.tenant(), entry.value());
      answer = request.written(entry);
    } else if (found != null) {
      delete.with(found.number()).update();
    }
    collect(Change.Kv.COLLECTED_BY_THE_WAY, at);
    return answer;
  }

  void collect(int most, Instant at) throws SQLException {
    for (long number : collect.with(at).with(most).all(row -> row.number(1))) {
      resources.drop(number);
    }
  }

  private void insert(KvEntry entry) throws SQLException {
    insert
        .with(entry.number())
        .with(entry.tenant())
        .with(entry.key())
        .with(entry.value())
        .with(entry.version())
        .with(entry.expiresAt())
        .update();
  }

  private void replace(KvEntry found, KvEntry entry) throws SQLException {
    replace
        .with(entry.number())
        .with(entry.value())
        .with(entry.version())
        .with(entry.expiresAt())
        .with(found.number())
        .update();
  }

  private long nextVersion() throws SQLException {
    Long version = nextVersion.first(row -> row.number(1));
    if (version == null) {
      throw new SQLException("the row 'kv_version' of meta is gone");
    }
    return version;
  }

  static KvEntry entry(Row row) throws SQLException {
    return new KvEntry(
        row.number(1), row.text(2), row.text(3), row.text(4), row.number(5), row.atOrNull(6));
  }
}
