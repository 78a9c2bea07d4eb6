package dev.hapax.store.jdbc;

import dev.hapax.flow.DeciderLimits;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Step;
import dev.hapax.flow.WaitState;
import dev.hapax.json.Json;
import dev.hapax.run.wait.Wait;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps a row to a wait. */
final class WaitMapping {
  /** In the order in which {@link #of} reads them. */
  static final String COLUMNS =
      """
      number, token, tenant, run, step, item, round, kind, state, awaited, ask, roles, can_rework, created_at, \
      expires_at, on_expire, op, decision, by, settled_at, \
      (SELECT count(*) FROM later_answer WHERE later_answer.wait = wait.number), key_version, not_by_starter, \
      needs_token\
      """;

  private WaitMapping() {}

  static Wait of(Row row) throws SQLException {
    byte[] token = row.bytesOrNull(2);
    return new Wait(
        row.number(1),
        token == null ? null : Fingerprint.of(token),
        row.text(3),
        row.number(4),
        new Step(row.text(5), row.textOrNull(6), round(row, 7)),
        Wait.Kind.of(row.text(8)),
        WaitState.of(row.text(9)),
        row.flag(10),
        row.textOrNull(11),
        List.of(Json.read(row.text(12), String[].class)),
        row.flag(13),
        row.at(14),
        row.atOrNull(15),
        row.textOrNull(16),
        row.numberOrNull(17),
        row.textOrNull(18),
        row.textOrNull(19),
        row.atOrNull(20),
        row.number(21),
        (int) row.number(22),
        new DeciderLimits(row.flag(23), row.flag(24)));
  }

  static @Nullable Integer round(Row row, int column) throws SQLException {
    Long round = row.numberOrNull(column);
    return round == null ? null : Integer.valueOf(Math.toIntExact(round));
  }

  static @Nullable Long round(Step step) {
    Integer round = step.round();
    return round == null ? null : Long.valueOf(round);
  }
}
