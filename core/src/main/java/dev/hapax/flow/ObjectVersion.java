package dev.hapax.flow;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The version of an object that an event is about, or of an update's content. Digits, also as a
 * text, are a number; a time of RFC 3339 is an instant; any other text is compared by code points.
 * Versions of different types have no order.
 *
 * @param text the same for all spellings of one version: 5, 5.0 and "5" are "5"
 */
public record ObjectVersion(Type type, String text) {
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");
  private static final Pattern INSTANT =
      Pattern.compile(
          "(\\d{4}-\\d{2}-\\d{2})[Tt ](\\d{2}:\\d{2}):(\\d{2})(?:\\.(\\d+))?([Zz]|[+-]\\d{2}:\\d{2})");
  private static final Instant EARLIEST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");
  private static final String LEAP_SECOND = "60";

  /** What kind of value it is; {@link #word} describes it to people. */
  public enum Type {
    NUMBER("a number"),
    INSTANT("a time"),
    TEXT("a text");

    private final String word;

    Type(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  public static ObjectVersion of(long number) {
    return new ObjectVersion(Type.NUMBER, Long.toString(number));
  }

  public static ObjectVersion of(Instant instant) {
    return of(Names.moment("version", instant).toString());
  }

  /** Reads a version that is written as a text. */
  public static ObjectVersion of(String written) {
    String text = Names.text("version", written.strip());
    if (NUMBER.matcher(text).matches()) {
      return number(new BigDecimal(text));
    }
    ObjectVersion instant = instantOrNull(text);
    return instant == null ? new ObjectVersion(Type.TEXT, text) : instant;
  }

  /**
   * Returns the version whose {@link #text} was stored. Refuses nothing: it was accepted before.
   */
  public static ObjectVersion ofStored(String text) {
    if (NUMBER.matcher(text).matches()) {
      return new ObjectVersion(Type.NUMBER, text);
    }
    return new ObjectVersion(instantOrNull(text) == null ? Type.TEXT : Type.INSTANT, text);
  }

  /**
   * Reads a version that is a JSON value.
   *
   * @throws IllegalArgumentException if it is neither a number nor a text
   */
  public static ObjectVersion ofValue(@Nullable Object value) {
    return switch (value) {
      case String text -> of(text);
      case Number number -> number(decimal(number));
      case Instant instant -> of(instant);
      case null, default ->
          throw new IllegalArgumentException(
              "version: expected a number, a time or a text, got "
                  + (value == null ? "null" : value.getClass().getSimpleName()));
    };
  }

  private static BigDecimal decimal(Number number) {
    try {
      return number instanceof BigDecimal exact ? exact : new BigDecimal(number.toString());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "version: expected a number, a time or a text, got " + number, e);
    }
  }

  private static ObjectVersion number(BigDecimal number) {
    if (number.precision() + Math.abs((long) number.scale()) > Names.LONGEST_KEY_BYTES) {
      throw tooLong();
    }
    BigDecimal plain = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    String text = plain.toPlainString();
    if (text.length() > Names.LONGEST_KEY_BYTES) { // with its sign and its point
      throw tooLong();
    }
    return new ObjectVersion(Type.NUMBER, text);
  }

  private static IllegalArgumentException tooLong() {
    return new IllegalArgumentException(
        "version: expected a number of at most %d digits".formatted(Names.LONGEST_KEY_BYTES));
  }

  /** Keeps all digits of the fraction; returns null if the text is not a time. */
  private static @Nullable ObjectVersion instantOrNull(String text) {
    Matcher parts = INSTANT.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    boolean isLeap = parts.group(3).equals(LEAP_SECOND);
    String whole =
        "%sT%s:%s%s"
            .formatted(
                parts.group(1),
                parts.group(2),
                isLeap ? "59" : parts.group(3),
                parts.group(5).toUpperCase(Locale.ROOT));
    Instant second;
    try {
      second = OffsetDateTime.parse(whole).toInstant().plusSeconds(isLeap ? 1 : 0);
    } catch (DateTimeException e) {
      return null;
    }
    if (second.isBefore(EARLIEST) || second.isAfter(LATEST)) {
      return null;
    }
    String utc = second.toString();
    String fraction = parts.group(4) == null ? "" : withoutZerosAtEnd("." + parts.group(4));
    return new ObjectVersion(Type.INSTANT, utc.substring(0, utc.length() - 1) + fraction + "Z");
  }

  private static String withoutZerosAtEnd(String fraction) {
    int end = fraction.length();
    while (end > 0 && (fraction.charAt(end - 1) == '0' || fraction.charAt(end - 1) == '.')) {
      end--;
    }
    return fraction.substring(0, end);
  }

  /** Returns whether the two have an order. */
  public boolean isComparableTo(ObjectVersion other) {
    return type == other.type;
  }

  /** Returns false for versions of different types, because these have no order. */
  public boolean isOlderThan(ObjectVersion other) {
    return isComparableTo(other) && compare(other) < 0;
  }

  private int compare(ObjectVersion other) {
    return switch (type) {
      case NUMBER -> new BigDecimal(text).compareTo(new BigDecimal(other.text));
      case INSTANT -> compareCodePoints(withoutZone(text), withoutZone(other.text));
      case TEXT -> compareCodePoints(text, other.text);
    };
  }

  /** Of two times in UTC with four digits of the year, the longer fraction is then the later. */
  private static String withoutZone(String instant) {
    return instant.substring(0, instant.length() - 1);
  }

  private static int compareCodePoints(String one, String other) {
    int at = 0;
    while (at < one.length() && at < other.length()) {
      int left = one.codePointAt(at);
      int right = other.codePointAt(at);
      if (left != right) {
        return Integer.compare(left, right);
      }
      at += Character.charCount(left);
    }
    return Integer.compare(one.length(), other.length());
  }

  /** Returns the number if it is a whole one of 64 bits; null otherwise. */
  public @Nullable Long asLong() {
    try {
      return type == Type.NUMBER ? new BigDecimal(text).longValueExact() : null;
    } catch (ArithmeticException e) {
      return null;
    }
  }

  /** Returns the value in JSON: a number of any size, or a text. */
  public Object asJson() {
    Long number = asLong();
    if (number != null) {
      return number;
    }
    return type == Type.NUMBER ? new BigDecimal(text) : text;
  }

  @Override
  public String toString() {
    return text;
  }
}
