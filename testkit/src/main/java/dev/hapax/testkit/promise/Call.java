package dev.hapax.testkit.promise;

import dev.hapax.flow.Flow;
import org.jspecify.annotations.Nullable;

/**
 * What a client asked, and what it was told.
 *
 * @param input JSON text, of a start
 * @param run that the answer names, or that was asked about
 * @param mark something that stands in this call only, and must be found in the journal if it was
 *     accepted
 */
public record Call(
    Wish wish,
    Answer answer,
    @Nullable String flow,
    @Nullable String key,
    Flow.@Nullable Conflict conflict,
    @Nullable String input,
    @Nullable String run,
    @Nullable String mark) {

  /** What was asked for. */
  public enum Wish {
    START,
    CANCEL,
    RETRY,
    SETTLE,
    SETTLE_STEP,
    AWAIT
  }

  /** What came back. */
  public enum Answer {
    ACCEPTED,
    DUPLICATE,
    /** Only a tombstone was left of the run. */
    EXPIRED,
    KEY_REUSED,
    REFUSED,
    /** A concurrency limit let nobody in. */
    BUSY,
    /** The node died or broke before it answered. */
    UNKNOWN
  }
}
