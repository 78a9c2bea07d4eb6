package dev.hapax.app.wire;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param next the value of {@code ?after=} for the next page; null after the last one
 */
public record Page<T>(List<T> items, @Nullable String next) {
  public Page {
    items = List.copyOf(items);
  }

  /**
   * As below, without the items that are not admitted: a page may then have fewer items than the
   * limit, or none, and still name a next one.
   */
  public static <S, T> Page<T> of(
      List<S> found,
      int limit,
      Predicate<S> admitted,
      Function<S, T> view,
      Function<S, String> cursor) {
    Page<S> all = of(found, limit, Function.identity(), cursor);
    return new Page<>(all.items().stream().filter(admitted).map(view).toList(), all.next());
  }

  /** Makes a page of items read with one more than the limit: an extra one means there is more. */
  public static <S, T> Page<T> of(
      List<S> found, int limit, Function<S, T> view, Function<S, String> cursor) {
    boolean isLast = found.size() <= limit;
    List<S> shown = isLast ? found : found.subList(0, limit);
    return new Page<>(
        shown.stream().map(view).toList(), isLast ? null : cursor.apply(shown.getLast()));
  }
}
