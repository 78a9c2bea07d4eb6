package dev.hapax.effect;

import dev.hapax.flow.EffectState;
import dev.hapax.store.Change;
import org.jspecify.annotations.Nullable;

/** Builds the change of an effect's ledger row. */
final class EffectChange {
  private final EffectProgress progress;
  private final EffectState state;
  private final @Nullable String origin;
  private int attempt;
  private @Nullable String result;
  private @Nullable String externalId;
  private @Nullable String evidence;

  EffectChange(EffectProgress progress, EffectState state, @Nullable String origin) {
    this.progress = progress;
    this.state = state;
    this.origin = origin;
    this.attempt = progress.attempt();
  }

  EffectChange attempt(int number) {
    attempt = number;
    return this;
  }

  EffectChange result(String json) {
    result = json;
    return this;
  }

  EffectChange externalId(@Nullable String id) {
    externalId = id;
    return this;
  }

  EffectChange evidence(String text) {
    evidence = text;
    return this;
  }

  EffectState state() {
    return state;
  }

  Change.Effect change() {
    return new Change.Effect(
        progress.effect(),
        progress.revision(),
        state,
        attempt,
        result,
        externalId,
        evidence,
        origin);
  }
}
