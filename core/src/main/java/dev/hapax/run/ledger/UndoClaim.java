package dev.hapax.run.ledger;

import dev.hapax.flow.EffectState;
import org.jspecify.annotations.Nullable;

/**
 * A run's claim to undo an effect that it has done: the intent of the undo's first attempt.
 *
 * @param claim of the undo, under its own name
 * @param target the effect that is to be undone
 * @param revision that the run made of it; the undo has the same
 * @param top the newest revision that the run made of it; those above this one are undone already
 * @param doubt why only a person can allow it; null if it may be sent
 */
public record UndoClaim(
    EffectClaim claim, long target, int revision, int top, @Nullable String doubt) {

  /** The state that the target must have now, and gets back if the undo fails. */
  public EffectState before() {
    return revision == top ? EffectState.DONE : EffectState.UNDONE;
  }
}
