package dev.hapax.run.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What the replay of a run says about one of its claims.
 *
 * @param had the revision that the run's step had before; null if it had none
 * @param corrects whether a person corrected something, which counts into the origin of an update
 * @param forced the revision that a person wants sent again; null if there is none
 * @param planned the only revision that may be sent; {@link #ANY} if the plan did not know its key,
 *     or the run goes on without a plan
 */
public record ReplayClaim(
    ClaimRule.@Nullable Revision had, boolean corrects, @Nullable Integer forced, int planned) {
  public static final int ANY = -1;

  /** The plan sends nothing of this effect. */
  public static final int NOTHING = 0;

  boolean maySend(int revision) {
    return planned == ANY || planned == revision;
  }

  /** Only the revision that the person saw: the next one is sent once. */
  boolean isForced(int revision) {
    return forced != null && forced == revision;
  }
}
