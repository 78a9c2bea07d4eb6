package dev.hapax.flows.expression;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as people write them: {@code 10s}, {@code 1h30m}, {@code 7d}; or ISO-8601. */
public final class Durations {
  private static final Pattern PART = Pattern.compile("(\\d{1,12})(ms|s|m|h|d|w)");
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Durations() {}

  /** Returns null if the text is not a duration, or exceeds 100 years. */
  public static @Nullable Duration parse(String text) {
    Duration length = text.startsWith("P") ? iso(text) : parts(text);
    return length == null || length.isNegative() || length.compareTo(LONGEST) > 0 ? null : length;
  }

  private static @Nullable Duration iso(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException | ArithmeticException e) {
      return null;
    }
  }

  private static @Nullable Duration parts(String text) {
    Matcher part = PART.matcher(text);
    Duration sum = Duration.ZERO;
    int at = 0;
    while (part.find() && part.start() == at) {
      sum = sum.plus(unit(part.group(2)).multipliedBy(Long.parseLong(part.group(1))));
      at = part.end();
    }
    return at == text.length() && at > 0 ? sum : null;
  }

  private static Duration unit(String word) {
    return switch (word) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      case "d" -> Duration.ofDays(1);
      default -> Duration.ofDays(7);
    };
  }

  /** Returns the shortest of the forms that {@link #parse} reads. */
  public static String text(Duration length) {
    var text = new StringBuilder();
    append(text, length.toDays(), "d");
    append(text, length.toHoursPart(), "h");
    append(text, length.toMinutesPart(), "m");
    append(text, length.toSecondsPart(), "s");
    append(text, length.toMillisPart(), "ms");
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static void append(StringBuilder text, long count, String unit) {
    if (count > 0) {
      text.append(count).append(unit);
    }
  }
}
