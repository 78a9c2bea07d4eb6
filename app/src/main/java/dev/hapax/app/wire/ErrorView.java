package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.run.Failure;
import org.jspecify.annotations.Nullable;

/** The reason of a failure. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ErrorView(String code, String message, @Nullable String step, @Nullable String item) {

  static @Nullable ErrorView of(@Nullable Failure failure) {
    return failure == null
        ? null
        : new ErrorView(failure.code(), failure.message(), failure.step(), failure.item());
  }

  /** Parses the text of a history line, which is {@code code: message}. */
  static @Nullable ErrorView ofText(@Nullable String text) {
    if (text == null) {
      return null;
    }
    int end = text.indexOf(": ");
    return end < 0
        ? new ErrorView("error", text, null, null)
        : new ErrorView(text.substring(0, end), text.substring(end + 2), null, null);
  }
}
