package dev.hapax.app.webhook;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The maximum age of a delivery, so that an intercepted one cannot be replayed for ever. */
record Age(Duration most) {
  static final Age FIVE_MINUTES = new Age(Duration.ofMinutes(5));
  static final Age THREE_MINUTES = new Age(Duration.ofMinutes(3));

  /**
   * For senders that name no limit: a retry may carry the time of the first attempt. The inbox
   * knows a delivery that was replayed meanwhile.
   */
  static final Age ONE_DAY = new Age(Duration.ofDays(1));

  /** How a header writes a time. */
  enum Unit {
    SECONDS("a number of seconds"),
    MILLISECONDS("a number of milliseconds"),
    RFC_3339("a time of RFC 3339");

    private final String what;

    Unit(String what) {
      this.what = what;
    }

    String write(Instant time) {
      return switch (this) {
        case SECONDS -> Long.toString(time.getEpochSecond());
        case MILLISECONDS -> Long.toString(time.toEpochMilli());
        case RFC_3339 -> time.truncatedTo(ChronoUnit.SECONDS).toString();
      };
    }

    private @Nullable Instant read(@Nullable String text) {
      try {
        return switch (text) {
          case null -> null;
          case String _ when this == RFC_3339 -> Instant.parse(text);
          case String _ when this == MILLISECONDS -> Instant.ofEpochMilli(Long.parseLong(text));
          default -> Instant.ofEpochSecond(Long.parseLong(text));
        };
      } catch (NumberFormatException | DateTimeException e) {
        return null;
      }
    }
  }

  /** Returns why a delivery with this time, in seconds, is refused; null if it is not. */
  @Nullable String problem(@Nullable String seconds, Instant now) {
    return problem(seconds, Unit.SECONDS, now);
  }

  /** Returns why a delivery with this time is refused; null if it is not. */
  @Nullable String problem(@Nullable String time, Unit unit, Instant now) {
    Instant sentAt = unit.read(time);
    if (sentAt == null) {
      return "its time is missing or is not " + unit.what;
    }
    Duration apart = Duration.between(sentAt, now).abs();
    return apart.compareTo(most) > 0
        ? "its time differs from the server's by more than %d seconds".formatted(most.toSeconds())
        : null;
  }
}
