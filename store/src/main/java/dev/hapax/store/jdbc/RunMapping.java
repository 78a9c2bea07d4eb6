package dev.hapax.store.jdbc;

import dev.hapax.flow.Caller;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SearchFields;
import dev.hapax.json.Json;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps a row to a run. */
public final class RunMapping {
  /**
   * In the order in which {@link #of} reads them. The count of duplicates is a seek in a small
   * table.
   */
  static final String COLUMNS =
      """
      run.number, run.id, run.tenant, run.flow, run.release, run.key, run.status, run.fingerprints, run.input, \
      run.output, run.error, run.owner, run.due_at, run.timeout_at, run.cancel, run.created_at, run.ended_at, \
      (SELECT count FROM duplicate WHERE duplicate.run = run.number), run.parent, run.depth, run.started_by, run.search\
      """;

  /** How many they are. */
  static final int COUNT = 22;

  private RunMapping() {}

  static Run of(Row row) throws SQLException {
    return new Run(
        row.number(1),
        RunId.of(row.bytes(2)),
        row.text(3),
        row.text(4),
        (int) row.number(5),
        row.text(6),
        RunStatus.of(row.text(7)),
        fingerprints(row.bytes(8)),
        row.text(9),
        row.textOrNull(10),
        json(row.textOrNull(11), Failure.class),
        row.numberOrNull(12),
        row.atOrNull(13),
        row.atOrNull(14),
        json(row.textOrNull(15), Run.Cancel.class),
        row.at(16),
        row.atOrNull(17),
        row.number(18),
        row.numberOrNull(19),
        (int) row.number(20),
        json(row.textOrNull(21), Caller.class),
        SearchFields.of(row.textOrNull(22)));
  }

  private static List<Fingerprint> fingerprints(byte[] bytes) {
    if (bytes.length == Fingerprint.BYTES) {
      return List.of(Fingerprint.of(bytes));
    }
    List<Fingerprint> fingerprints = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += Fingerprint.BYTES) {
      fingerprints.add(Fingerprint.of(Arrays.copyOfRange(bytes, from, from + Fingerprint.BYTES)));
    }
    return List.copyOf(fingerprints);
  }

  /** Adds this fingerprint to the stored ones, unless it is among them. */
  static byte[] withFingerprint(byte[] stored, Fingerprint another) {
    if (fingerprints(stored).contains(another)) {
      return stored;
    }
    byte[] all = Arrays.copyOf(stored, stored.length + Fingerprint.BYTES);
    System.arraycopy(another.bytes(), 0, all, stored.length, Fingerprint.BYTES);
    return all;
  }

  /** The caller as it is stored. */
  public static @Nullable String json(@Nullable Caller caller) {
    return caller == null ? null : Json.write(caller);
  }

  private static <T> @Nullable T json(@Nullable String text, Class<T> type) {
    return text == null ? null : Json.read(text, type);
  }
}
