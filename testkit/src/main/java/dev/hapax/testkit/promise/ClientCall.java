package dev.hapax.testkit.promise;

import dev.hapax.flow.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A client's request and the answer to it.
 *
 * @param input JSON text, of a start
 * @param run that the answer names, or that was asked about
 * @param mark something that only this call has, and that must be found in the journal if the call
 *     was accepted
 */
public record ClientCall(
    Wish wish,
    Answer answer,
    @Nullable String flow,
    @Nullable String key,
    Flow.@Nullable Conflict conflict,
    @Nullable String input,
    @Nullable String run,
    @Nullable String mark) {

  /** The kind of request. */
  public enum Wish {
    START,
    CANCEL,
    RETRY,
    SETTLE,
    SETTLE_STEP,
    AWAIT
  }

  /** The answer to the request. */
  public enum Answer {
    ACCEPTED,
    DUPLICATE,
    /** Only a tombstone was left of the run. */
    EXPIRED,
    KEY_REUSED,
    REFUSED,
    /** The concurrency limit had no free slot. */
    BUSY,
    /** The node died or broke before it answered. */
    UNKNOWN
  }
}
