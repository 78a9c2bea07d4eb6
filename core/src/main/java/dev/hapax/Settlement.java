package dev.hapax;

import dev.hapax.json.Json;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.Reviewed;
import dev.hapax.run.SettleDecision;
import org.jspecify.annotations.Nullable;

/**
 * What a person says about an effect in review, and why.
 *
 * @param result JSON text of what the step returns, if it happened
 * @param seen the review that the person looked at; null to settle whichever there is
 */
public record Settlement(
    SettleDecision decision,
    @Nullable String result,
    @Nullable String externalId,
    String reason,
    String actor,
    @Nullable Reviewed seen) {

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
          "a settlement needs a reason and an actor: they stay in the history");
    }
  }

  /** It happened, and this is its result. */
  public static Settlement happened(@Nullable Object result, String reason, String actor) {
    return new Settlement(
        SettleDecision.HAPPENED, result == null ? null : Json.write(result), null, reason, actor);
  }

  /** It did not happen: it is sent again with the same wire key. */
  public static Settlement notHappened(String reason, String actor) {
    return new Settlement(SettleDecision.NOT_HAPPENED, null, null, reason, actor);
  }

  /** Nobody will know: the step fails with {@code effect-abandoned}. */
  public static Settlement abandon(String reason, String actor) {
    return new Settlement(SettleDecision.ABANDON, null, null, reason, actor);
  }

  /** With the id that it has at the destination. */
  public Settlement externalId(String id) {
    return new Settlement(decision, result, id, reason, actor, seen);
  }

  /**
   * Only if the effect is still as the person saw it: {@link EffectRecord#revision()} and {@link
   * EffectRecord#attempts()}. Otherwise settling throws {@link dev.hapax.engine.RunControl.Stale}.
   */
  public Settlement seen(int revision, int attempt) {
    return new Settlement(
        decision, result, externalId, reason, actor, new Reviewed(revision, attempt));
  }

  /** The same, as the ledger showed it. */
  public Settlement seen(EffectRecord effect) {
    return seen(effect.revision(), effect.attempts());
  }
}
