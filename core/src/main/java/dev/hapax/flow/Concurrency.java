package dev.hapax.flow;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many runs of a flow may be under way at once, waits included.
 *
 * @param key the limit applies per value of this key; null: to the whole flow
 */
public record Concurrency<I>(
    @Nullable Function<I, @Nullable String> key, int limit, Overflow overflow) {
  public static final int LARGEST_LIMIT = 10_000;

  public Concurrency {
    if (limit < 1 || limit > LARGEST_LIMIT) {
      throw new IllegalArgumentException(
          "limit of concurrent runs: expected 1 to %,d, got %,d".formatted(LARGEST_LIMIT, limit));
    }
  }
}
