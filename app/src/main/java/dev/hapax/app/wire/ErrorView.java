package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.flow.Failure;
import dev.hapax.flow.HistoryEntry;
import org.jspecify.annotations.Nullable;

/**
 * The reason of a failure.
 *
 * @param docs the address of the section about the code; absent in histories
 * @param advice what to do about it, in general; absent in histories
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ErrorView(
    String code,
    String message,
    @Nullable String step,
    @Nullable String item,
    @Nullable String docs,
    @Nullable String advice) {

  public static @Nullable ErrorView of(@Nullable Failure failure) {
    return failure == null
        ? null
        : explained(failure.code(), failure.message(), failure.step(), failure.item());
  }

  /** Returns an error with what the catalog says about its code. */
  static ErrorView explained(
      String code, String message, @Nullable String step, @Nullable String item) {
    ErrorCatalog.Entry known = ErrorCatalog.of(code);
    return new ErrorView(code, message, step, item, known.docs(), known.advice());
  }

  /** The same error with another advice. */
  ErrorView advising(String other) {
    return new ErrorView(code, message, step, item, docs, other);
  }

  static @Nullable ErrorView of(HistoryEntry.@Nullable Reason reason) {
    return reason == null
        ? null
        : new ErrorView(reason.code(), reason.message(), null, null, null, null);
  }
}
