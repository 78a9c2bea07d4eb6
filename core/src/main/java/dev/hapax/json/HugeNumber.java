package dev.hapax.json;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A number such as 1e999999999: short as text, but it takes a gigabyte as soon as a calculation
 * uses it. It may be stored and passed on, but nothing calculates with it.
 *
 * @param path of the number in its value, as a JSON pointer
 */
public record HugeNumber(String path, BigDecimal number) {
  private static final int MOST_DIGITS = 1_000;

  /** Returns the first huge number of the value; null if it has none. */
  public static @Nullable HugeNumber in(JsonNode value) {
    return in(value, "");
  }

  private static @Nullable HugeNumber in(JsonNode value, String path) {
    if (value.isFloatingPointNumber() && is(value.decimalValue())) {
      return new HugeNumber(path, value.decimalValue());
    }
    if (value.isObject()) {
      for (Map.Entry<String, JsonNode> member : value.properties()) {
        HugeNumber found = in(member.getValue(), path + "/" + member.getKey());
        if (found != null) {
          return found;
        }
      }
    }
    for (int i = 0; value.isArray() && i < value.size(); i++) {
      HugeNumber found = in(value.get(i), path + "/" + i);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** Whether so many digits lie between its first digit and its decimal point. */
  public static boolean is(BigDecimal number) {
    return Math.abs((long) number.precision() - number.scale()) > MOST_DIGITS;
  }

  @Override
  public String toString() {
    return shown(number);
  }

  /** Says what is wrong with it, for an error. */
  public static String shown(BigDecimal number) {
    return "expected numbers of at most %,d digits, got %s"
        .formatted(MOST_DIGITS, number.round(MathContext.DECIMAL32));
  }
}
