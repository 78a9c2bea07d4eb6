package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * How an effect of this run was done, beside its result. It comes from the journal, so every pass
 * of the run sees the same.
 *
 * @param reused whether another run, or an earlier step of this run, had done it, so that this step
 *     sent nothing
 * @param stale whether a newer version of the object had been sent already, so that this one was
 *     left out; a stale effect is also reused
 * @param found whether a lookup found it at the destination before this step sent anything
 * @param externalId the destination's id for it; null if it is unknown
 */
public record EffectOutcome(
    boolean reused, boolean stale, boolean found, @Nullable String externalId) {
  /** The outcome of an effect that was sent, that failed, or that the run has not reached. */
  public static final EffectOutcome NONE = new EffectOutcome(false, false, false, null);
}
