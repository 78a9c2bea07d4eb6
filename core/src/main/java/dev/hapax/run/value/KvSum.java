package dev.hapax.run.value;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The sum of a stored number and another one, exact to the last digit. Numbers are bounded, because
 * the exact sum of {@code 1e999999999} and 1 would have a billion digits.
 */
final class KvSum {
  static final int MOST_DIGITS = 100;

  private KvSum() {}

  /**
   * Adds two JSON numbers.
   *
   * @param present null counts as 0
   * @return null if one of them is no number, or they or their sum have too many digits
   */
  static @Nullable String of(@Nullable String present, String added) {
    BigDecimal first = present == null ? BigDecimal.ZERO : number(present);
    BigDecimal second = number(added);
    if (first == null || second == null) {
      return null;
    }
    BigDecimal sum = first.add(second);
    return isBounded(sum) ? text(sum) : null;
  }

  private static @Nullable BigDecimal number(String json) {
    if (json.length() > 3 * MOST_DIGITS) {
      return null;
    }
    try {
      var number = new BigDecimal(json);
      return isBounded(number) ? number : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Counts the digits as {@link #text} writes them, so that each sum can be added to again. */
  private static boolean isBounded(BigDecimal number) {
    BigDecimal shortest = number.stripTrailingZeros();
    long zeros = Math.max(0, -(long) shortest.scale());
    return shortest.precision() + zeros <= MOST_DIGITS && shortest.scale() <= MOST_DIGITS;
  }

  private static String text(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }
}
