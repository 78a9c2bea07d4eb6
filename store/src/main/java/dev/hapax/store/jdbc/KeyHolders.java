package dev.hapax.store.jdbc;

import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.Generation;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.Tombstone;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the run that answers for the number that an id leads to. */
final class KeyHolders {
  private static final String EXPIRED =
      """
      SELECT number, id, tenant, status, ended_at, EXISTS (SELECT 1 FROM forgotten WHERE forgotten.run = number)
      FROM expired_run WHERE number = :number
      """;

  private static final String NEWEST =
      """
      SELECT run, generation, renews FROM succession WHERE first_run = :first ORDER BY generation DESC LIMIT 1
      """;

  /** Returns no row if the key is free, and only the number if the run has expired. */
  private static final String BY_KEY =
      "SELECT "
          + RunMapping.COLUMNS
          + """
          , run.ended_at IS NOT NULL AND EXISTS (SELECT 1 FROM forgotten WHERE forgotten.run = run.number), found.number
          FROM (%s) AS found LEFT JOIN run ON run.number = found.number
          """;

  /** The same for many keys, in a database that has arrays. */
  private static final String BY_KEYS =
      "SELECT "
          + RunMapping.COLUMNS
          + """
          , run.ended_at IS NOT NULL AND EXISTS (SELECT 1 FROM forgotten WHERE forgotten.run = run.number),
            coalesce(run.number, expired_run.number), given.id
          FROM unnest(:ids) AS given (id) LEFT JOIN run ON run.id = given.id
            LEFT JOIN expired_run ON expired_run.id = given.id
          WHERE run.number IS NOT NULL OR expired_run.number IS NOT NULL
          """;

  private static final int FORGOTTEN = RunMapping.COUNT + 1;
  private static final int NUMBER = RunMapping.COUNT + 2;
  private static final int ID = RunMapping.COUNT + 3;

  private final Session session;
  private @Nullable Prepared byKeys;
  private final Prepared byKey;
  private final Prepared run;
  private final Prepared expired;
  private final Prepared forgotten;
  private final Prepared newest;

  KeyHolders(Session session) throws SQLException {
    this.session = session;
    this.byKey = session.prepare(BY_KEY.formatted(session.dialect().runByKey()));
    this.run = session.prepare("SELECT " + RunMapping.COLUMNS + " FROM run WHERE number = :number");
    this.expired = session.prepare(EXPIRED);
    this.forgotten = session.prepare("SELECT 1 FROM forgotten WHERE run = :number");
    this.newest = session.prepare(NEWEST);
  }

  /** Needs one statement, or more if the run has expired. */
  @Nullable KeyHolder of(Key key) throws SQLException {
    Found found = byKey.with(key.bytes()).first(row -> Found.of(row, key));
    return found == null ? null : holder(found);
  }

  /** Returns the holders of those keys that are not free. */
  Map<Key, KeyHolder> of(List<Key> keys) throws SQLException {
    Prepared query = byKeys;
    if (query == null) {
      query = session.prepare(BY_KEYS);
      byKeys = query;
    }
    Map<Key, KeyHolder> holders = new HashMap<>();
    for (Found found : query.with(keys).all(row -> Found.of(row, new Key(row.bytes(ID))))) {
      KeyHolder holder = holder(found);
      if (holder != null) {
        holders.put(found.key(), holder);
      }
    }
    return holders;
  }

  private @Nullable KeyHolder holder(Found found) throws SQLException {
    return found.present() != null ? found.present() : expired(found.number());
  }

  private record Found(Key key, long number, KeyHolder.@Nullable Present present) {
    static Found of(Row row, Key key) throws SQLException {
      var present =
          row.numberOrNull(1) == null
              ? null
              : new KeyHolder.Present(RunMapping.of(row), row.flag(FORGOTTEN));
      return new Found(key, row.number(NUMBER), present);
    }
  }

  @Nullable KeyHolder of(long number) throws SQLException {
    Run present = run(number);
    if (present != null) {
      boolean free = present.endedAt() != null && isForgotten(number);
      return new KeyHolder.Present(present, free);
    }
    return expired(number);
  }

  private KeyHolder.@Nullable Expired expired(long number) throws SQLException {
    return expired
        .with(number)
        .first(
            row ->
                new KeyHolder.Expired(
                    new Tombstone(
                        row.number(1),
                        RunId.of(row.bytes(2)),
                        row.text(3),
                        RunStatus.of(row.text(4)),
                        row.at(5)),
                    row.flag(6)));
  }

  /** Returns the newest run that succeeded this one under its key. */
  @Nullable Generation newest(long first) throws SQLException {
    Succeeding found =
        newest
            .with(first)
            .first(row -> new Succeeding(row.number(1), (int) row.number(2), row.flag(3)));
    if (found == null) {
      return null;
    }
    KeyHolder holder = of(found.run());
    return holder == null ? null : new Generation(found.generation(), found.renews(), holder);
  }

  private record Succeeding(long run, int generation, boolean renews) {}

  @Nullable Run run(long number) throws SQLException {
    return run.with(number).first(RunMapping::of);
  }

  private boolean isForgotten(long number) throws SQLException {
    return forgotten.with(number).first(row -> row.flag(1)) != null;
  }
}
