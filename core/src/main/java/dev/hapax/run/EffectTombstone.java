package dev.hapax.run;

import dev.hapax.flow.Kind;
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
    @Nullable Long version,
    @Nullable String externalId) {

  public static EffectTombstone of(EffectRecord row) {
    return new EffectTombstone(
        row.number(), row.kind(), row.state(), row.revision(), row.version(), row.externalId());
  }
}
