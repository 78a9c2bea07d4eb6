package dev.hapax.flow;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The mechanism that makes it safe to repeat an effect. Effects choose theirs with {@link
 * Effect.Draft}.
 */
public sealed interface Guard {
  /** Returns the guard's name in the public contract. */
  String word();

  /** Returns the rule that settles a doubt about an effect with this guard. */
  DoubtRule ruleFor(DoubtRule.Doubt doubt);

  /** Returns how long after its run's end an effect may be sent again that is retried this long. */
  default Duration rememberedFor(Duration retries) {
    return retries;
  }

  /** Returns the read that comes before the first attempt; null if there is none. */
  default @Nullable Lookup lookupBeforeSending() {
    return null;
  }

  /**
   * Returns whether the destination still remembers the key of the first attempt, so that a stored
   * answer is the answer to all attempts.
   */
  default boolean isKeyRemembered(Instant firstSentAt, Instant now) {
    return false;
  }

  /** The destination removes duplicates by the key, within its window. */
  record Keyed(Duration window, @Nullable Lookup lookup) implements Guard {
    static final Duration USUAL_WINDOW = Duration.ofHours(24);
    private static final Duration MARGIN = Duration.ofMinutes(1);

    @Override
    public String word() {
      return "keyed";
    }

    @Override
    public DoubtRule ruleFor(DoubtRule.Doubt doubt) {
      if (!doubt.repeatTells()) {
        return withoutRepeat(doubt, "sending it again would not show whether it happened");
      }
      return windowCovers(doubt.firstSentAt(), doubt.now(), doubt.timeout())
          ? new DoubtRule.SendAgain("the destination removes the duplicate by its key", true)
          : withoutRepeat(doubt, "the destination's key window of %s has passed".formatted(window));
    }

    private DoubtRule withoutRepeat(DoubtRule.Doubt doubt, String because) {
      return lookup != null ? lookup.ruleFor(doubt) : new DoubtRule.Review(because);
    }

    @Override
    public Duration rememberedFor(Duration retries) {
      return window.compareTo(retries) > 0 ? window : retries;
    }

    @Override
    public boolean isKeyRemembered(Instant firstSentAt, Instant now) {
      return windowCovers(firstSentAt, now, Duration.ZERO);
    }

    /**
     * Returns whether an attempt that starts now is sure to arrive before the destination forgets
     * the key of the first attempt.
     */
    public boolean windowCovers(Instant firstSentAt, Instant now, Duration timeout) {
      return now.isBefore(firstSentAt.plus(window).minus(timeout).minus(MARGIN));
    }
  }

  /** The operation itself removes the duplicate. */
  record Upsert() implements Guard {
    @Override
    public String word() {
      return "upsert";
    }

    @Override
    public DoubtRule ruleFor(DoubtRule.Doubt doubt) {
      return new DoubtRule.SendAgain("the operation can be repeated", false);
    }
  }

  /** A marker row in the destination's database removes the duplicate. */
  record Transaction() implements Guard {
    @Override
    public String word() {
      return "transaction";
    }

    @Override
    public DoubtRule ruleFor(DoubtRule.Doubt doubt) {
      return new DoubtRule.SendAgain("the marker row removes the duplicate", true);
    }
  }

  /** A read by key shows whether it happened. "Not found" counts only after {@code settle}. */
  record Lookup(Effect.LookupBy by, Duration settle) implements Guard {
    static final Duration USUAL_SETTLE = Duration.ofSeconds(10);

    @Override
    public String word() {
      return "lookup";
    }

    @Override
    public DoubtRule ruleFor(DoubtRule.Doubt doubt) {
      return new DoubtRule.LookUpAfter(this, doubt.timeout().plus(settle));
    }

    @Override
    public Lookup lookupBeforeSending() {
      return this;
    }
  }

  /** Nothing removes the duplicate. */
  record Unguarded(OnDoubt onDoubt) implements Guard {
    @Override
    public String word() {
      return "none";
    }

    @Override
    public DoubtRule ruleFor(DoubtRule.Doubt doubt) {
      return switch (onDoubt) {
        case REVIEW -> new DoubtRule.Review("guard 'none' cannot tell whether it happened");
        case REPEAT -> new DoubtRule.SendAgain("the flow accepts a repeat", false);
        case SKIP -> new DoubtRule.Skip();
      };
    }
  }
}
