package dev.hapax.app.desk;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import org.jspecify.annotations.Nullable;

/** Where a page of reviews ended. Opaque to callers. */
final class ReviewCursor {
  private static final String MARK = "r";

  private ReviewCursor() {}

  static @Nullable String of(@Nullable Long number) {
    return number == null ? null : MARK + Long.toString(number, 36);
  }

  /** Returns null for the first page. */
  static @Nullable Long after(Call call) {
    String given = call.query("after");
    if (given == null) {
      return null;
    }
    try {
      if (given.startsWith(MARK)) {
        return Long.parseLong(given.substring(MARK.length()), 36);
      }
    } catch (NumberFormatException e) {
      // falls through to the one message
    }
    throw Problem.invalidInput(
        "after: expected the value of 'next' of another page, got '%s'".formatted(given));
  }
}
