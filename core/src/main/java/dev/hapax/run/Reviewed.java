package dev.hapax.run;

import org.jspecify.annotations.Nullable;

/**
 * Which doubt a person looked at: one that was settled and sent again since is another one.
 *
 * @param revision of the effect; null for any
 * @param attempt how many attempts the revision had; null for any
 */
public record Reviewed(@Nullable Integer revision, @Nullable Integer attempt) {
  /** Whether the effect still is as it was seen. */
  public boolean isStill(EffectRecord row) {
    return isStill(row.revision(), row.attempts());
  }

  /** The same of an effect with this revision, after so many attempts. */
  public boolean isStill(int presentRevision, int presentAttempts) {
    return (revision == null || revision == presentRevision)
        && (attempt == null || attempt == presentAttempts);
  }
}
