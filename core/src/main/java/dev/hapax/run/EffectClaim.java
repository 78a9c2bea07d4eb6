package dev.hapax.run;

import dev.hapax.flow.Kind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run's claim to send an effect: the intent of the first attempt. The store answers it in the
 * commit that carries it.
 *
 * @param number for the ledger row, if this claim makes one
 * @param origin identifies a rerun of the same work: a hash of flow, run key, input, step and item
 */
public record EffectClaim(
    long number,
    EffectKey key,
    Kind kind,
    String guard,
    long run,
    Step step,
    @Nullable Fingerprint fingerprint,
    @Nullable String request,
    @Nullable Long version,
    @Nullable String origin,
    Instant at) {

  /** The ledger row of a first claim. */
  public EffectRecord granted() {
    return new EffectRecord(
        number,
        key,
        kind,
        guard,
        EffectState.PENDING,
        1,
        run,
        step,
        1,
        fingerprint,
        request,
        version,
        null,
        null,
        at,
        null,
        null);
  }
}
