package dev.hapax.flow;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What makes repeating an effect safe. */
public sealed interface Guard {
  /** The word of the public contract. */
  String word();

  /** The destination removes duplicates by the key, inside its window. */
  record Keyed(Duration window, @Nullable Lookup lookup) implements Guard {
    static final Duration USUAL_WINDOW = Duration.ofHours(24);
    private static final Duration MARGIN = Duration.ofMinutes(1);

    @Override
    public String word() {
      return "keyed";
    }

    /**
     * Whether an attempt that starts now is sure to arrive before the destination forgets the first
     * one's key.
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

  /** A read by key tells whether it happened; "not found" counts only after {@code settle}. */
  record Lookup(Effect.LookupBy by, Duration settle) implements Guard {
    static final Duration USUAL_SETTLE = Duration.ofSeconds(10);

    @Override
    public String word() {
      return "lookup";
    }
  }

  /** Nobody removes the duplicate. */
  record Unguarded(OnDoubt onDoubt) implements Guard {
    @Override
    public String word() {
      return "none";
    }
  }
}
