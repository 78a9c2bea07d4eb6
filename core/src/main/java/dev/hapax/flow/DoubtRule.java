package dev.hapax.flow;

import java.time.Duration;
import java.time.Instant;

/** The rule that settles a doubt: whether an effect happened whose answer was lost. */
public sealed interface DoubtRule {
  /** The destination removes the duplicate, so the same bytes are sent again. */
  record SendAgain(String because, boolean whileOpen) implements DoubtRule {}

  /**
   * A lookup settles it; "not found" counts only when this much time has passed since the attempt
   * was over.
   */
  record LookUpAfter(Guard.Lookup lookup, Duration settle) implements DoubtRule {}

  /** Only a person can settle it. */
  record Review(String because) implements DoubtRule {}

  /** The flow explicitly gives the effect up. */
  record Skip() implements DoubtRule {}

  /**
   * An effect that was sent, and whose outcome is unknown.
   *
   * @param repeatTells false if the destination has said that the key settles nothing
   * @param timeout of an attempt
   */
  record Doubt(boolean repeatTells, Instant firstSentAt, Duration timeout, Instant now) {}
}
