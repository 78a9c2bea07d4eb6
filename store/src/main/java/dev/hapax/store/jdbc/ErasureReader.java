package dev.hapax.store.jdbc;

import dev.hapax.flow.SubjectHash;
import dev.hapax.run.ErasureRecord;
import dev.hapax.store.ErasureReads;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queries on {@code subject_erasure}. Safe for many threads. */
final class ErasureReader implements ErasureReads {
  static final String COLUMNS =
      "number, tenant, subject, at, actor, reason, external_ids, scans, ended_at, runs";

  private static final String SELECT = "SELECT " + COLUMNS + " FROM subject_erasure WHERE ";

  private final WaitReader.Connections connections;

  ErasureReader(WaitReader.Connections connections) {
    this.connections = connections;
  }

  @Override
  public @Nullable ErasureRecord find(long number) {
    return connections.<@Nullable ErasureRecord>lend(
        session -> {
          try (var query = session.prepare(SELECT + "number = :number")) {
            return query.with(number).first(ErasureReader::of);
          }
        });
  }

  @Override
  public List<ErasureRecord> list(String tenant, int limit) {
    return connections.lend(
        session -> {
          String sql = SELECT + "tenant = :tenant ORDER BY number DESC LIMIT :limit";
          try (var query = session.prepare(sql)) {
            return query.with(tenant).with(limit).all(ErasureReader::of);
          }
        });
  }

  @Override
  public List<ErasureRecord> all(long after, boolean onlyOpen, int limit) {
    return connections.lend(
        session -> {
          String open = onlyOpen ? " AND ended_at IS NULL" : "";
          String sql = SELECT + "number > :after" + open + " ORDER BY number LIMIT :limit";
          try (var query = session.prepare(sql)) {
            return query.with(after).with(limit).all(ErasureReader::of);
          }
        });
  }

  static ErasureRecord of(Row row) throws SQLException {
    return new ErasureRecord(
        row.number(1),
        row.text(2),
        new SubjectHash(row.text(3)),
        row.at(4),
        row.text(5),
        row.text(6),
        row.flag(7),
        row.flag(8),
        row.atOrNull(9),
        row.number(10));
  }
}
