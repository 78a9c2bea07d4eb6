package dev.hapax.effect;

import dev.hapax.flow.Guard;
import java.time.Duration;
import java.time.Instant;

/** The rule that settles a doubt. */
sealed interface DoubtRule {
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
   * Returns the rule that settles a doubt under this guard.
   *
   * @param repeatTells false if the destination has said that the key settles nothing
   */
  static DoubtRule ruleFor(
      Guard guard, boolean repeatTells, Instant firstSentAt, Duration timeout, Instant now) {
    return switch (guard) {
      case Guard.Keyed keyed when !repeatTells ->
          withoutRepeat(keyed, timeout, "sending it again would not tell whether it happened");
      case Guard.Keyed keyed when keyed.windowCovers(firstSentAt, now, timeout) ->
          new SendAgain("the destination removes the duplicate by its key", true);
      case Guard.Keyed keyed ->
          withoutRepeat(
              keyed,
              timeout,
              "the destination's key window of %s has passed".formatted(keyed.window()));
      case Guard.Upsert _ -> new SendAgain("the operation can be repeated", false);
      case Guard.Transaction _ -> new SendAgain("the marker row removes the duplicate", true);
      case Guard.Lookup lookup -> lookUp(lookup, timeout);
      case Guard.Unguarded unguarded -> asDeclared(unguarded);
    };
  }

  private static DoubtRule withoutRepeat(Guard.Keyed keyed, Duration timeout, String because) {
    Guard.Lookup lookup = keyed.lookup();
    return lookup != null ? lookUp(lookup, timeout) : new Review(because);
  }

  private static DoubtRule lookUp(Guard.Lookup lookup, Duration timeout) {
    return new LookUpAfter(lookup, timeout.plus(lookup.settle()));
  }

  private static DoubtRule asDeclared(Guard.Unguarded unguarded) {
    return switch (unguarded.onDoubt()) {
      case REVIEW -> new Review("guard 'none' cannot tell whether it happened");
      case REPEAT -> new SendAgain("the flow accepts a repeat", false);
      case SKIP -> new Skip();
    };
  }
}
