package dev.hapax.run.retention;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Fingerprint;
import dev.hapax.run.ledger.EffectImport;
import dev.hapax.run.value.ResourceRef;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the ledger already says what an imported row says. Pure, and called by every
 * store inside its transaction.
 */
public final class ImportRule {
  private ImportRule() {}

  /**
   * Returns what the ledger has instead of this row; null if it says the same. A member that the
   * import does not give is not compared.
   */
  public static @Nullable String difference(EffectHolder present, EffectImport given) {
    return switch (present) {
      case EffectHolder.Expired(var tombstone) ->
          "it was %s before, and its record has expired".formatted(tombstone.state().word());
      case EffectHolder.Present(var row) -> difference(row, given);
    };
  }

  private static @Nullable String difference(EffectRecord row, EffectImport given) {
    if (row.state() != EffectState.DONE) {
      return "the ledger has it as %s".formatted(row.state().word());
    }
    if (row.kind() != given.kind()) {
      return "the ledger has kind %s".formatted(row.kind());
    }
    if (given.externalId() != null && !given.externalId().equals(row.externalId())) {
      return row.externalId() == null
          ? "the ledger has no external id"
          : "the ledger has another external id";
    }
    if (given.version() != null && !given.version().equals(row.version())) {
      return "the ledger has another version";
    }
    return given.output() == null || isSame(given.output(), row.result())
        ? null
        : "the ledger has another output";
  }

  private static boolean isSame(String given, @Nullable String stored) {
    if (given.equals(stored)) {
      return true;
    }
    return stored != null
        && !ResourceRef.isRef(given)
        && !ResourceRef.isRef(stored)
        && Fingerprint.of(given).equals(Fingerprint.of(stored));
  }
}
