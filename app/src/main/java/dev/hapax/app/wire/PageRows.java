package dev.hapax.app.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows of a page in parts. A row holds up to some megabytes, so a page of large rows has
 * fewer than the caller asked for, and the next page goes on behind them.
 *
 * @param source reads rows, newest first
 * @param number of a row, in the order of the list
 * @param bytes about how many bytes of a row the page shows
 */
public record PageRows<S>(Source<S> source, ToLongFunction<S> number, ToLongFunction<S> bytes) {
  private static final long MOST_BYTES = 4 << 20;

  /** Read before it is known how large they are. */
  private static final int FIRST = 8;

  /** Reads rows of a list. */
  @FunctionalInterface
  public interface Source<S> {
    /** Returns at most so many rows behind this one; null for the first ones. */
    List<S> read(@Nullable Long before, int limit);
  }

  /**
   * Returns a page of at most this many rows.
   *
   * @param shown selects the rows that the caller may see
   */
  public <T> Page<T> page(
      @Nullable Long before,
      int limit,
      Predicate<S> shown,
      Function<S, T> view,
      Function<S, String> cursor) {
    var found = new ArrayList<S>();
    Long after = before;
    long sum = 0;
    int wanted = Math.min(FIRST, limit + 1);
    while (true) {
      List<S> part = source.read(after, wanted);
      found.addAll(part);
      sum += part.stream().mapToLong(bytes).sum();
      if (part.size() < wanted || found.size() > limit) {
        return Page.of(found, limit, shown, view, cursor);
      }
      if (sum >= MOST_BYTES) {
        return Page.of(found, found.size() - 1, shown, view, cursor);
      }
      after = number.applyAsLong(found.getLast());
      long fit = (MOST_BYTES - sum) / Math.max(1, sum / found.size());
      wanted = (int) Math.max(1, Math.min(limit + 1L - found.size(), fit));
    }
  }
}
