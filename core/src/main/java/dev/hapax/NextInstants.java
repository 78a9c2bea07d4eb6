package dev.hapax;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The port for cron and calendars: computes nominal instants. Always gives the same answer to the
 * same question, in whole milliseconds.
 */
@FunctionalInterface
public interface NextInstants {
  /** Returns the first instant after this one; null if there are no more. */
  @Nullable Instant after(Instant instant);

  /** Returns instants at a fixed interval, counted from the anchor in both directions. */
  static NextInstants every(Duration duration, Instant anchor) {
    long step = duration.toMillis();
    if (step < 1000 || !duration.equals(Duration.ofMillis(step))) {
      throw new IllegalArgumentException(
          "every: expected a second or more in whole milliseconds, got " + duration);
    }
    long from = anchor.toEpochMilli();
    return instant -> {
      long passed = Math.floorDiv(Math.subtractExact(instant.toEpochMilli(), from), step);
      return Instant.ofEpochMilli(from + Math.multiplyExact(passed + 1, step));
    };
  }
}
