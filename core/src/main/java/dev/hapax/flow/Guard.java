package dev.hapax.flow;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Makes repeating an effect safe. */
public sealed interface Guard {
  /** Returns the guard's name in the public contract. */
  String word();

  /** The destination removes duplicates by the key, within its window. */
  record Keyed(Duration window, @Nullable Lookup lookup) implements Guard {
    static final Duration USUAL_WINDOW = Duration.ofHours(24);
    private static final Duration MARGIN = Duration.ofMinutes(1);

    @Override
    public String word() {
      return "keyed";
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
  }

  /** A marker row in the destination's database removes the duplicate. */
  record Transaction() implements Guard {
    @Override
    public String word() {
      return "transaction";
    }
  }

  /** A read by key shows whether it happened. "Not found" counts only after {@code settle}. */
  record Lookup(Effect.LookupBy by, Duration settle) implements Guard {
    static final Duration USUAL_SETTLE = Duration.ofSeconds(10);

    @Override
    public String word() {
      return "lookup";
    }
  }

  /** Nothing removes the duplicate. */
  record Unguarded(OnDoubt onDoubt) implements Guard {
    @Override
    public String word() {
      return "none";
    }
  }
}
