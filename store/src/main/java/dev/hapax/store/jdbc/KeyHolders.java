package dev.hapax.store.jdbc;

import dev.hapax.run.KeyHolder;
import dev.hapax.run.Run;
import dev.hapax.run.RunId;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Tombstone;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Who answers for the number that an id leads to. */
final class KeyHolders {
  private static final String EXPIRED =
      "SELECT number, id, tenant, status, ended_at FROM expired_run WHERE number = :number";

  /** No row if the key is free, and of what has expired only its number. */
  private static final String BY_KEY =
      "SELECT "
          + RunMapping.COLUMNS
          + """
          , run.ended_at IS NOT NULL AND EXISTS (SELECT 1 FROM forgotten WHERE forgotten.run = run.number), found.number
          FROM (%s) AS found LEFT JOIN run ON run.number = found.number
          """;

  private static final int FORGOTTEN = 21;
  private static final int NUMBER = 22;

  private final Prepared byKey;
  private final Prepared run;
  private final Prepared expired;
  private final Prepared forgotten;

  KeyHolders(Session session) throws SQLException {
    this.byKey = session.prepare(BY_KEY.formatted(session.dialect().runByKey()));
    this.run = session.prepare("SELECT " + RunMapping.COLUMNS + " FROM run WHERE number = :number");
    this.expired = session.prepare(EXPIRED);
    this.forgotten = session.prepare("SELECT 1 FROM forgotten WHERE run = :number");
  }

  /** In one statement, but for what has expired. */
  @Nullable KeyHolder of(Key key) throws SQLException {
    Found found =
        byKey
            .with(key.bytes())
            .first(
                row ->
                    new Found(
                        row.number(NUMBER),
                        row.numberOrNull(1) == null
                            ? null
                            : new KeyHolder.Present(RunMapping.of(row), row.flag(FORGOTTEN))));
    if (found == null) {
      return null;
    }
    return found.present() != null ? found.present() : of(found.number());
  }

  private record Found(long number, KeyHolder.@Nullable Present present) {}

  @Nullable KeyHolder of(long number) throws SQLException {
    Run present = run(number);
    if (present != null) {
      boolean free = present.endedAt() != null && isForgotten(number);
      return new KeyHolder.Present(present, free);
    }
    Tombstone tombstone =
        expired
            .with(number)
            .first(
                row ->
                    new Tombstone(
                        row.number(1),
                        RunId.of(row.bytes(2)),
                        row.text(3),
                        RunStatus.of(row.text(4)),
                        row.at(5)));
    return tombstone == null ? null : new KeyHolder.Expired(tombstone, isForgotten(number));
  }

  @Nullable Run run(long number) throws SQLException {
    return run.with(number).first(RunMapping::of);
  }

  private boolean isForgotten(long number) throws SQLException {
    return forgotten.with(number).first(row -> row.flag(1)) != null;
  }
}
