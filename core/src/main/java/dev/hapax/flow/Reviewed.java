package dev.hapax.flow;

import org.jspecify.annotations.Nullable;

/**
 * The doubt that a person looked at; one that was settled and sent again since is a different one.
 *
 * @param revision of the effect; null for any
 * @param attempt how many attempts the revision had; null for any
 */
public record Reviewed(@Nullable Integer revision, @Nullable Integer attempt) {
  /** Whether the effect is still as the person saw it. */
  public boolean isStill(EffectRecord row) {
    return isStill(row.revision(), row.attempts());
  }

  /** The same for an effect with this revision, after this many attempts. */
  public boolean isStill(int presentRevision, int presentAttempts) {
    return (revision == null || revision == presentRevision)
        && (attempt == null || attempt == presentAttempts);
  }
}
