package dev.hapax.app.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list that is read as a whole, because it is short: the nodes of a server, the waits
 * of a run. Its cursors are places in the list.
 *
 * @param next the value of {@code ?after=} for the next page; null after the last one
 */
public record ShortList<T>(List<T> items, @Nullable String next) {
  public ShortList {
    items = List.copyOf(items);
  }

  /** Returns the page that the call asks for; all of it, if it is as short as usual. */
  public static <T> ShortList<T> of(Call call, List<T> whole) {
    int from = from(call);
    int limit = call.query("limit") == null ? Call.LARGEST_PAGE : call.limit();
    int end = Math.min(whole.size(), from + limit);
    return new ShortList<>(
        whole.subList(Math.min(from, end), end), end < whole.size() ? Integer.toString(end) : null);
  }

  private static int from(Call call) {
    String after = call.query("after");
    if (after == null) {
      return 0;
    }
    try {
      int from = Integer.parseInt(after);
      if (from >= 0 && from <= Integer.MAX_VALUE - Call.LARGEST_PAGE) {
        return from;
      }
    } catch (NumberFormatException e) {
      // falls through to the one message
    }
    throw Problem.invalidInput(
        "after: expected the value of 'next' of another page, got '%s'".formatted(after));
  }
}
