package dev.hapax.effect;

import dev.hapax.run.JournalEntry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an open effect, according to its run's journal. A value: each entry makes the
 * next one.
 *
 * @param attempt the last attempt that had an intent
 * @param inFlight whether that attempt has no answer yet
 * @param ambiguous whether an attempt since the last proof of absence may have happened
 * @param repeatTells false if an attempt since then has shown that sending again settles nothing
 * @param budgetFrom the attempt after which the retry budget counts, and since when
 * @param retryAt not before this time
 */
public record EffectProgress(
    JournalEntry.Claimed claim,
    long effect,
    int revision,
    int attempt,
    boolean inFlight,
    boolean ambiguous,
    boolean repeatTells,
    boolean inReview,
    int budgetFrom,
    Instant budgetSince,
    Instant firstSentAt,
    @Nullable Instant retryAt) {

  public static EffectProgress granted(
      JournalEntry.Claimed claim, long effect, int revision, Instant at) {
    return new EffectProgress(
        claim, effect, revision, 1, true, false, true, false, 0, at, at, null);
  }

  /** A claim of an effect that another run gave up: it begins in review. */
  public static EffectProgress abandoned(
      JournalEntry.Claimed claim, long effect, int revision, int attempts, Instant at) {
    return new EffectProgress(
        claim, effect, revision, attempts, false, true, true, true, attempts, at, at, null);
  }

  public EffectProgress attempted(int next) {
    return new EffectProgress(
        claim,
        effect,
        revision,
        next,
        true,
        ambiguous,
        repeatTells,
        false,
        budgetFrom,
        budgetSince,
        firstSentAt,
        null);
  }

  public EffectProgress notApplied(Instant retry) {
    return new EffectProgress(
        claim,
        effect,
        revision,
        attempt,
        false,
        ambiguous,
        repeatTells,
        false,
        budgetFrom,
        budgetSince,
        firstSentAt,
        retry);
  }

  public EffectProgress inDoubt(@Nullable Instant retry) {
    return new EffectProgress(
        claim,
        effect,
        revision,
        attempt,
        false,
        true,
        repeatTells,
        false,
        budgetFrom,
        budgetSince,
        firstSentAt,
        retry);
  }

  /** The key no longer settles anything: only a lookup or a person does. */
  public EffectProgress repeatTellsNothing() {
    return new EffectProgress(
        claim,
        effect,
        revision,
        attempt,
        inFlight,
        ambiguous,
        false,
        inReview,
        budgetFrom,
        budgetSince,
        firstSentAt,
        retryAt);
  }

  public EffectProgress toReview() {
    return new EffectProgress(
        claim,
        effect,
        revision,
        attempt,
        false,
        true,
        repeatTells,
        true,
        budgetFrom,
        budgetSince,
        firstSentAt,
        null);
  }

  /** An attempt that is lost may have been sent as early as this. */
  public EffectProgress sentSince(Instant time) {
    return new EffectProgress(
        claim,
        effect,
        revision,
        attempt,
        inFlight,
        ambiguous,
        repeatTells,
        inReview,
        budgetFrom,
        budgetSince,
        time.isBefore(firstSentAt) ? time : firstSentAt,
        retryAt);
  }

  /** A proof that no attempt until then happened; it closes them all. */
  public EffectProgress absent(Instant at) {
    return new EffectProgress(
        claim,
        effect,
        revision,
        attempt,
        false,
        false,
        true,
        false,
        budgetFrom,
        budgetSince,
        at,
        null);
  }

  /**
   * A person's proof of absence: all attempts before it are closed, and the retry budget and the
   * window are fresh.
   */
  public EffectProgress notHappened(Instant at) {
    return new EffectProgress(
        claim, effect, revision, attempt, false, false, true, false, attempt, at, at, null);
  }

  int attemptsInBudget() {
    return attempt - budgetFrom;
  }
}
