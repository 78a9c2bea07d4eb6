package dev.hapax.app.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hapax.flow.Failure;
import dev.hapax.flow.HistoryEntry;
import org.jspecify.annotations.Nullable;

/** The reason of a failure. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ErrorView(String code, String message, @Nullable String step, @Nullable String item) {

  static @Nullable ErrorView of(@Nullable Failure failure) {
    return failure == null
        ? null
        : new ErrorView(failure.code(), failure.message(), failure.step(), failure.item());
  }

  static @Nullable ErrorView of(HistoryEntry.@Nullable Reason reason) {
    return reason == null ? null : new ErrorView(reason.code(), reason.message(), null, null);
  }
}
