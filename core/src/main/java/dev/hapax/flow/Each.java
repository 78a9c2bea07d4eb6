package dev.hapax.flow;

import java.util.Collection;
import java.util.function.Function;

/**
 * The items of a loop, the key of each item, and how many items are handled at the same time. They
 * must be the same on every pass of the run, so take them from its input or from a recorded step.
 */
public final class Each<T> {
  private static final int USUAL = 16;
  private static final int MOST = 256;

  private final Collection<T> items;
  private final Function<T, String> key;
  private final int atOnce;

  private Each(Collection<T> items, Function<T, String> key, int atOnce) {
    this.items = items;
    this.key = key;
    this.atOnce = atOnce;
  }

  /**
   * Returns a loop over these items. Use an order number or a row id as key, never its position.
   */
  public static <T> Each<T> of(Collection<T> items, Function<T, String> key) {
    return new Each<>(items, key, USUAL);
  }

  /** Sets how many items are handled at the same time: 16 by default, 1 for one after another. */
  public Each<T> atOnce(int most) {
    if (most < 1 || most > MOST) {
      throw new IllegalArgumentException(
          "items at once: expected 1 to %d, got %d".formatted(MOST, most));
    }
    return new Each<>(items, key, most);
  }

  public Collection<T> items() {
    return items;
  }

  public String keyOf(T item) {
    return Names.item(key.apply(item));
  }

  public int atOnce() {
    return atOnce;
  }
}
