package dev.hapax.app.webhook;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The maximum age of a delivery, so that an intercepted one cannot be replayed for ever. */
record Age(Duration most) {
  static final Age FIVE_MINUTES = new Age(Duration.ofMinutes(5));

  /** Returns why a delivery with this time, in seconds, is refused; null if it is not. */
  @Nullable String problem(@Nullable String seconds, Instant now) {
    Instant sentAt = parse(seconds);
    if (sentAt == null) {
      return "its time is missing or is not a number of seconds";
    }
    Duration apart = Duration.between(sentAt, now).abs();
    return apart.compareTo(most) > 0
        ? "its time differs from the server's by more than %d seconds".formatted(most.toSeconds())
        : null;
  }

  private static @Nullable Instant parse(@Nullable String seconds) {
    try {
      return seconds == null ? null : Instant.ofEpochSecond(Long.parseLong(seconds));
    } catch (NumberFormatException | DateTimeException e) {
      return null;
    }
  }
}
