package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request that left for a destination, as the world outside knows it.
 *
 * @param key the business key
 * @param run that sent it
 * @param oncePerRun whether repeats are wanted, once per run
 * @param mayRepeat whether the flow openly accepts that it happens twice
 * @param mostAttempts that its policy allows in a row
 * @param intent the store's row of the effect when the first byte left
 * @param target the effect that it undoes, as the store held it then; null if it is no undo
 * @param heard the answer that the sender got
 * @param applied whether it changed the destination, perhaps later
 * @param result the destination's result for it, as JSON text
 */
public record Sending(
    Instant at,
    String effect,
    String key,
    String run,
    boolean oncePerRun,
    String guard,
    boolean mayRepeat,
    int mostAttempts,
    String wireKey,
    @Nullable String request,
    @Nullable EffectRecord intent,
    @Nullable EffectRecord target,
    Heard heard,
    boolean applied,
    @Nullable String result) {

  static final String UNDO = ".undo";

  /** The answer that the sender got. */
  public enum Heard {
    /** Its process died, or it has not returned. */
    NOTHING,
    DONE,
    NOT_APPLIED,
    REJECTED,
    /** An error, or no answer in time: it may have happened. */
    UNCLEAR;

    public boolean isAmbiguous() {
      return this == NOTHING || this == UNCLEAR;
    }
  }

  /** Identifies the intent without its revision: two sendings with this key are the same intent. */
  public String intentKey() {
    return oncePerRun ? effect + " " + key + " of " + run : effect + " " + key;
  }

  public boolean isUndo() {
    return effect.endsWith(UNDO);
  }

  /** Identifies the intent that it undoes. */
  public String undoneKey() {
    String undone = effect.substring(0, effect.length() - UNDO.length());
    return intentKey().replace(effect, undone);
  }

  /** Returns the attempt whose intent was the newest when the request left; 0 if there was none. */
  public int attempt() {
    return intent == null ? 0 : intent.attempts();
  }

  /**
   * The claim under which the request left. Two kinds of claim count attempts from one again, both
   * under the old key: an undo that failed and is tried again, and an effect that was given up and
   * whose row has expired since.
   */
  String claim() {
    return intent == null ? "" : claim(intent.number(), intent.revision(), intent.firstSentAt());
  }

  static String claim(long effect, int revision, @Nullable Instant claimedAt) {
    return "%d/%d/%s".formatted(effect, revision, claimedAt);
  }
}
