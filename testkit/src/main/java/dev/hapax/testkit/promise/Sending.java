package dev.hapax.testkit.promise;

import dev.hapax.run.EffectRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request that left for a destination, as the world outside knows it.
 *
 * @param key the business key
 * @param additiveRun the run, if repeats are wanted once per run
 * @param mayRepeat whether the flow openly accepts that it happens twice
 * @param intent what the store held about the effect at the moment in which the first byte left
 * @param heard what the sender heard
 * @param applied whether it changed the destination, perhaps later
 * @param result what the destination holds for it, as JSON text
 */
public record Sending(
    Instant at,
    String effect,
    String key,
    @Nullable String additiveRun,
    String guard,
    boolean mayRepeat,
    String wireKey,
    @Nullable String request,
    @Nullable EffectRecord intent,
    Heard heard,
    boolean applied,
    @Nullable String result) {

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
    return additiveRun == null ? effect + " " + key : effect + " " + key + " of " + additiveRun;
  }

  /** The attempt whose intent was the newest one when it left; 0 if there was none. */
  public int attempt() {
    return intent == null ? 0 : intent.attempts();
  }
}
