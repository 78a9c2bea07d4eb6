package dev.hapax.testkit;

import org.jspecify.annotations.Nullable;

/**
 * Something that a proof found.
 *
 * @param effect its name in the ledger; null if it is about the run as a whole
 * @param key of the effect
 * @param boundary where it was disturbed, for example {@code the answer to request 2 is lost
 *     (effect 'charge' with key 'A-1', attempt 1)}
 * @param what happened then
 */
public record ProofProblem(
    @Nullable String effect, @Nullable String key, String boundary, String what) {
  @Override
  public String toString() {
    return effect == null
        ? "When %s: %s".formatted(boundary, what)
        : "When %s: effect '%s' with key '%s': %s".formatted(boundary, effect, key, what);
  }
}
