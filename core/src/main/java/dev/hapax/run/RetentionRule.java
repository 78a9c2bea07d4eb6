package dev.hapax.run;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When what is remembered may go. Pure, and called by every store inside its transaction. */
public final class RetentionRule {
  /** What is held for another reason than time is looked at again after this. */
  public static final Duration LOOK_AGAIN = Duration.ofDays(1);

  /** How much of one journal goes in one commit. */
  public static final int MOST_JOURNAL_ROWS = 500;

  /** In place of the id of a run of which not even a tombstone is left. */
  public static final String NOBODY = "gone";

  private RetentionRule() {}

  /**
   * Until when an ended run stays, seen at a moment when it was about to go; null if it goes.
   *
   * @param keep what its flow says now: a retention that became longer counts for it too
   * @param isHeld whether something else needs its record
   */
  public static @Nullable Instant runStaysUntil(
      Instant now, Instant endedAt, Instant expiresAt, Duration keep, boolean isHeld) {
    Instant byFlow = endedAt.plus(keep);
    Instant until = byFlow.isAfter(expiresAt) ? byFlow : expiresAt;
    if (until.isAfter(now)) {
      return until;
    }
    return isHeld ? now.plus(LOOK_AGAIN) : null;
  }

  /**
   * Until when a ledger row stays that no run refers to any more, seen at a moment when it was
   * about to go; null if it goes.
   *
   * @param life the longest that anybody asks for who shares the effect's name
   * @param atLeast that was found earlier; null if there is none
   */
  public static @Nullable Instant effectStaysUntil(
      Instant now, Instant lastEnd, Duration life, @Nullable Instant atLeast) {
    Instant byLife = lastEnd.plus(life);
    Instant until = atLeast != null && atLeast.isAfter(byLife) ? atLeast : byLife;
    return until.isAfter(now) ? until : null;
  }
}
