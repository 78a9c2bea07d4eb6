package dev.hapax.effect;

import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
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
 * @param kept what a person may keep, if the review is about other content of an effect that is
 *     done; null in every other case
 */
public record EffectProgress(
    EffectEntry.Claimed claim,
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
    @Nullable Instant retryAt,
    @Nullable Kept kept) {

  /** The result of the revision that was done before its content changed. */
  public record Kept(@Nullable String output, @Nullable String externalId) {}

  public static EffectProgress granted(
      EffectEntry.Claimed claim, long effect, int revision, Instant at) {
    return new EffectProgress(
        claim, effect, revision, 1, true, false, true, false, 0, at, at, null, null);
  }

  /** A claim of an effect that another run gave up: it begins in review. */
  public static EffectProgress abandoned(
      EffectEntry.Claimed claim, long effect, int revision, int attempts, Instant at) {
    return new EffectProgress(
        claim, effect, revision, attempts, false, true, true, true, attempts, at, at, null, null);
  }

  /** A claim of the run's own effect with other content, which a person decides about. */
  public static EffectProgress reworked(
      EffectEntry.Claimed claim, ClaimAnswer.ReviewRework review, Instant at) {
    var kept = new Kept(review.output(), review.externalId());
    int attempts = review.attempts();
    return new EffectProgress(
        claim,
        review.effect(),
        review.revision(),
        attempts,
        false,
        true,
        true,
        true,
        attempts,
        at,
        at,
        null,
        kept);
  }

  public EffectProgress attempted(int number) {
    var next = new Draft(this);
    next.attempt = number;
    next.inFlight = true;
    next.inReview = false;
    next.retryAt = null;
    return next.progress();
  }

  public EffectProgress notApplied(Instant retry) {
    var next = new Draft(this);
    next.inFlight = false;
    next.inReview = false;
    next.retryAt = retry;
    return next.progress();
  }

  /**
   * A person asks for the next attempt now. Nothing else changes: a lookup counts its settle time
   * from the attempt, and the destination's limits are asked before each call.
   */
  public EffectProgress withoutPause() {
    var next = new Draft(this);
    next.retryAt = null;
    return next.progress();
  }

  public EffectProgress inDoubt(@Nullable Instant retry) {
    var next = new Draft(this);
    next.inFlight = false;
    next.ambiguous = true;
    next.inReview = false;
    next.retryAt = retry;
    return next.progress();
  }

  /** The key no longer settles anything: only a lookup or a person does. */
  public EffectProgress repeatTellsNothing() {
    var next = new Draft(this);
    next.repeatTells = false;
    return next.progress();
  }

  public EffectProgress toReview() {
    var next = new Draft(this);
    next.inFlight = false;
    next.ambiguous = true;
    next.inReview = true;
    next.retryAt = null;
    return next.progress();
  }

  /** An attempt that is lost may have been sent as early as this. */
  public EffectProgress sentSince(Instant time) {
    var next = new Draft(this);
    next.firstSentAt = time.isBefore(firstSentAt) ? time : firstSentAt;
    return next.progress();
  }

  /** A proof that no attempt until then happened; it closes them all. */
  public EffectProgress absent(Instant at) {
    var next = new Draft(this);
    next.inFlight = false;
    next.ambiguous = false;
    next.repeatTells = true;
    next.inReview = false;
    next.firstSentAt = at;
    next.retryAt = null;
    return next.progress();
  }

  /**
   * A person's proof of absence: all attempts before it are closed, and the retry budget and the
   * window are fresh.
   */
  public EffectProgress notHappened(Instant at) {
    var next = new Draft(absent(at));
    next.budgetFrom = attempt;
    next.budgetSince = at;
    return next.progress();
  }

  int attemptsInBudget() {
    return attempt - budgetFrom;
  }

  /** The next progress while it is being made; what it does not change stays. */
  private static final class Draft {
    private final EffectProgress before;
    private int attempt;
    private boolean inFlight;
    private boolean ambiguous;
    private boolean repeatTells;
    private boolean inReview;
    private int budgetFrom;
    private Instant budgetSince;
    private Instant firstSentAt;
    private @Nullable Instant retryAt;

    Draft(EffectProgress before) {
      this.before = before;
      this.attempt = before.attempt;
      this.inFlight = before.inFlight;
      this.ambiguous = before.ambiguous;
      this.repeatTells = before.repeatTells;
      this.inReview = before.inReview;
      this.budgetFrom = before.budgetFrom;
      this.budgetSince = before.budgetSince;
      this.firstSentAt = before.firstSentAt;
      this.retryAt = before.retryAt;
    }

    EffectProgress progress() {
      return new EffectProgress(
          before.claim,
          before.effect,
          before.revision,
          attempt,
          inFlight,
          ambiguous,
          repeatTells,
          inReview,
          budgetFrom,
          budgetSince,
          firstSentAt,
          retryAt,
          before.kept);
    }
  }
}
