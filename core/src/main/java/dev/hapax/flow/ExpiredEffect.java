package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * What is left of a ledger row after its life: a small record, which keeps a hash of the key.
 *
 * @param key as it was asked for; its hash is the one of the record
 * @param state its last one
 */
public record ExpiredEffect(
    String id,
    EffectKey key,
    Kind kind,
    EffectState state,
    int revision,
    @Nullable ObjectVersion version,
    @Nullable String externalId) {
  public String wireKey() {
    return key.onWire(revision);
  }
}
