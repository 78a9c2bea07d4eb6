package dev.hapax.run.retention;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Kind;
import dev.hapax.flow.ObjectVersion;
import org.jspecify.annotations.Nullable;

/**
 * The remains of a ledger row after its life: enough to say "already done, expired" instead of
 * doing the work again.
 */
public record EffectTombstone(
    long number,
    Kind kind,
    EffectState state,
    int revision,
    @Nullable ObjectVersion version,
    @Nullable String externalId) {

  public static EffectTombstone of(EffectRecord row) {
    return new EffectTombstone(
        row.number(), row.kind(), row.state(), row.revision(), row.version(), row.externalId());
  }
}
