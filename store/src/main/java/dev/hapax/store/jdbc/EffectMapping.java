package dev.hapax.store.jdbc;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Step;
import java.sql.SQLException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Maps a ledger row to an effect. */
final class EffectMapping {
  /** In the order in which {@link #of} reads them; the key has the first four. */
  static final String COLUMNS =
      """
      tenant, name, key, additive_run, number, kind, guard, state, revision, run, step, item, attempts, fingerprint, \
      request, version, result, external_id, first_sent_at, reused_by, evidence, round, version_text\
      """;

  private EffectMapping() {}

  static EffectRecord of(Row row) throws SQLException {
    byte[] fingerprint = row.bytesOrNull(14);
    return new EffectRecord(
        row.number(5),
        key(row),
        kind(row.text(6)),
        row.text(7),
        EffectState.of(row.text(8)),
        (int) row.number(9),
        row.number(10),
        new Step(row.text(11), row.textOrNull(12), WaitMapping.round(row, 22)),
        (int) row.number(13),
        fingerprint == null ? null : Fingerprint.of(fingerprint),
        row.textOrNull(15),
        VersionColumns.of(row, 16, 23),
        row.textOrNull(17),
        row.textOrNull(18),
        row.atOrNull(19),
        row.numberOrNull(20),
        row.textOrNull(21));
  }

  static EffectKey key(Row row) throws SQLException {
    byte[] additiveRun = row.bytesOrNull(4);
    return new EffectKey(
        row.text(1), row.text(2), row.text(3), additiveRun == null ? null : RunId.of(additiveRun));
  }

  static String word(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  static Kind kind(String word) {
    return Kind.valueOf(word.toUpperCase(Locale.ROOT));
  }

  static byte @Nullable [] bytes(@Nullable Fingerprint fingerprint) {
    return fingerprint == null ? null : fingerprint.bytes();
  }
}
