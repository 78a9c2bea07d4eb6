package dev.hapax.run.ledger;

import dev.hapax.flow.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * What the replay of a run says about one of its claims.
 *
 * @param had the revision that the run's step had before; null if it had none
 * @param corrects whether a person corrected something, which counts into the origin of an update
 * @param forced the revision that a person wants sent again; null if there is none
 * @param planned the only revision that may be sent; {@link #ANY} if the plan did not know its key,
 *     or the run goes on without a plan
 * @param request the fingerprint of the only request that may be sent; null if the plan did not
 *     know the request
 */
public record ReplayClaim(
    ClaimRule.@Nullable Revision had,
    boolean corrects,
    @Nullable Integer forced,
    int planned,
    @Nullable String request) {
  public static final int ANY = -1;

  /** The plan sends nothing of this effect. */
  public static final int NOTHING = 0;

  /** A claim whose request the plan did not know. */
  public ReplayClaim(
      ClaimRule.@Nullable Revision had, boolean corrects, @Nullable Integer forced, int planned) {
    this(had, corrects, forced, planned, null);
  }

  boolean maySend(int revision, @Nullable Fingerprint content) {
    return planned == ANY || (planned == revision && isPlanned(content));
  }

  private boolean isPlanned(@Nullable Fingerprint content) {
    return request == null || (content != null && request.equals(content.hex()));
  }

  /** The request that the plan shows for this revision, if another one would be sent. */
  @Nullable String otherRequest(int revision) {
    return planned == revision ? request : null;
  }

  /** Only the revision that the person saw: the next one is sent once. */
  boolean isForced(int revision) {
    return forced != null && forced == revision;
  }
}
