package dev.hapax.run.retention;

import dev.hapax.flow.EffectRecord;

/** What the ledger holds under an effect's key: the row itself, or its tombstone. */
public sealed interface EffectHolder {
  /** The number of the row, or of the one that was there. */
  default long number() {
    return switch (this) {
      case Present(var row) -> row.number();
      case Expired(var tombstone) -> tombstone.number();
    };
  }

  /** The full record is there. */
  record Present(EffectRecord row) implements EffectHolder {}

  /** The record is gone. */
  record Expired(EffectTombstone tombstone) implements EffectHolder {}
}
