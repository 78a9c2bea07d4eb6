package dev.hapax;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Reviewed;
import dev.hapax.flow.SettleDecision;
import dev.hapax.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A person's decision about an effect in review, and the reason.
 *
 * @param result of the step as JSON text, if the effect happened
 * @param seen the review that the person saw; null to settle the current one
 * @param compensate whether the run is to end and undo what it did, this effect included
 */
public record Settlement(
    SettleDecision decision,
    @Nullable String result,
    @Nullable String externalId,
    String reason,
    String actor,
    @Nullable Reviewed seen,
    boolean compensate) {

  public Settlement(
      SettleDecision decision,
      @Nullable String result,
      @Nullable String externalId,
      String reason,
      String actor,
      @Nullable Reviewed seen) {
    this(decision, result, externalId, reason, actor, seen, false);
  }

  public Settlement(
      SettleDecision decision,
      @Nullable String result,
      @Nullable String externalId,
      String reason,
      String actor) {
    this(decision, result, externalId, reason, actor, null);
  }

  public Settlement {
    if (reason.isBlank() || actor.isBlank()) {
      throw new IllegalArgumentException(
          "a settlement needs a reason and an actor: the history records them");
    }
    if (compensate && decision != SettleDecision.HAPPENED) {
      throw new IllegalArgumentException(
          "compensate: only what happened can be undone; expected the decision 'happened', got '%s'"
              .formatted(decision.word()));
    }
  }

  /** The effect happened, with this result. */
  public static Settlement happened(@Nullable Object result, String reason, String actor) {
    return new Settlement(
        SettleDecision.HAPPENED, result == null ? null : Json.write(result), null, reason, actor);
  }

  /** The effect did not happen. It is sent again with the same wire key. */
  public static Settlement notHappened(String reason, String actor) {
    return new Settlement(SettleDecision.NOT_HAPPENED, null, null, reason, actor);
  }

  /** The outcome stays unknown. The step fails with {@code effect-abandoned}. */
  public static Settlement abandon(String reason, String actor) {
    return new Settlement(SettleDecision.ABANDON, null, null, reason, actor);
  }

  /** Adds the id that the effect has at the destination. */
  public Settlement externalId(String id) {
    return new Settlement(decision, result, id, reason, actor, seen, compensate);
  }

  /**
   * The effect happened and is to be undone: the run ends, and undoes all that it did, as if it was
   * canceled with compensation in the same moment.
   */
  public Settlement thenCompensate() {
    return new Settlement(decision, result, externalId, reason, actor, seen, true);
  }

  /**
   * Settles only if the effect is still as the person saw it, by {@link EffectRecord#revision()}
   * and {@link EffectRecord#attempts()}. Otherwise settling throws {@link
   * dev.hapax.flow.StaleReview}.
   */
  public Settlement seen(int revision, int attempt) {
    return new Settlement(
        decision, result, externalId, reason, actor, new Reviewed(revision, attempt), compensate);
  }

  /** As above, with the effect as the ledger showed it. */
  public Settlement seen(EffectRecord effect) {
    return seen(effect.revision(), effect.attempts());
  }
}
