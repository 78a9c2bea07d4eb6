package dev.hapax.run.retention;

import dev.hapax.flow.EffectRecord;

/** What the ledger holds under an effect's key: the row itself, or its tombstone. */
public sealed interface EffectHolder {
  /** The full record is there. */
  record Present(EffectRecord row) implements EffectHolder {}

  /** The record is gone. */
  record Expired(EffectTombstone tombstone) implements EffectHolder {}
}
