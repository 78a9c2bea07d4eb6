package dev.hapax.testkit.promise;

import dev.hapax.run.EffectRecord;
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
 * @param intent what the store held about the effect at the moment in which the first byte left
 * @param target what it undoes, as the store held it then; null if it is no undo
 * @param heard what the sender heard
 * @param applied whether it changed the destination, perhaps later
 * @param result what the destination holds for it, as JSON text
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

  /** What came back to the sender. */
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

  /** What makes two sendings the same intent, but for the revision. */
  public String intentKey() {
    return oncePerRun ? effect + " " + key + " of " + run : effect + " " + key;
  }

  public boolean isUndo() {
    return effect.endsWith(UNDO);
  }

  /** The intent that it undoes. */
  public String undoneKey() {
    String undone = effect.substring(0, effect.length() - UNDO.length());
    return intentKey().replace(effect, undone);
  }

  /** The attempt whose intent was the newest one when it left; 0 if there was none. */
  public int attempt() {
    return intent == null ? 0 : intent.attempts();
  }

  /**
   * The claim under which it left. Attempts are counted from one again by an undo that failed and
   * is tried again, and by a claim of what was given up and whose row has expired since; both under
   * the key that it had.
   */
  String claim() {
    return intent == null ? "" : claim(intent.number(), intent.revision(), intent.firstSentAt());
  }

  static String claim(long effect, int revision, @Nullable Instant claimedAt) {
    return "%d/%d/%s".formatted(effect, revision, claimedAt);
  }
}
