package dev.hapax.app.webhook;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** The time of an event, as its source writes it: RFC 3339, or seconds since 1970. */
final class EventTime {
  private EventTime() {}

  /** Returns null if there is no value, or none that is a time. */
  static @Nullable Instant orNull(@Nullable Object told) {
    try {
      return told == null ? null : of(told.toString());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  static Instant of(String told) {
    try {
      return isNumber(told)
          ? Instant.ofEpochSecond(Long.parseLong(told))
          : OffsetDateTime.parse(told).toInstant();
    } catch (DateTimeException | NumberFormatException e) {
      throw new IllegalArgumentException(
          "time: expected RFC 3339 or seconds since 1970, got '%s'".formatted(told), e);
    }
  }

  private static boolean isNumber(String told) {
    return !told.isEmpty() && told.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
