package dev.hapax.run.retention;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Decides when data may expire. Pure, and called by every store inside its transaction. */
public final class RetentionRule {
  /** Data that is held for another reason than time is looked at again after this. */
  public static final Duration LOOK_AGAIN = Duration.ofDays(1);

  /** How many rows of one journal are deleted in one commit. */
  public static final int MOST_JOURNAL_ROWS = 500;

  /** Replaces the id of a run of which not even a tombstone is left. */
  public static final String NOBODY = "gone";

  /** Replaces the tenant in what counts for all tenants that have not set their own. */
  public static final String ALL = "";

  private RetentionRule() {}

  /**
   * Until when an ended run stays, seen at a moment when it was about to expire; null if it
   * expires.
   *
   * @param keep the retention of its flow now: a longer one also counts for this run
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
   * Until when a ledger row without references from runs stays, seen at a moment when it was about
   * to expire; null if it expires.
   *
   * @param life the longest time that any flow asks for that shares the effect's name
   * @param atLeast that was found earlier; null if there is none
   */
  public static @Nullable Instant effectStaysUntil(
      Instant now, Instant lastEnd, Duration life, @Nullable Instant atLeast) {
    Instant byLife = lastEnd.plus(life);
    Instant until = atLeast != null && atLeast.isAfter(byLife) ? atLeast : byLife;
    return until.isAfter(now) ? until : null;
  }
}
