package dev.hapax.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The room for one value, in bytes: its texts in UTF-8, its numbers, and the brackets, colons and
 * commas of its JSON. Everything that makes a value asks for room before it builds the next part. A
 * part that occurs twice counts twice, because JSON repeats it. Used by one thread.
 */
public final class ValueBudget {
  /** A larger value belongs into a resource. */
  public static final int USUAL = 1 << 20;

  private final long most;
  private final String what;
  private long left;

  public ValueBudget(long mostBytes) {
    this(mostBytes, "a value");
  }

  /**
   * As above, for something else.
   *
   * @param what the beginning of a message
   */
  public ValueBudget(long mostBytes, String what) {
    this.most = mostBytes;
    this.what = what;
    this.left = mostBytes;
  }

  /** Returns the size of a value; a number above the cap if it is larger than that. */
  public static long sizeOf(@Nullable Object value, long cap) {
    var budget = new ValueBudget(cap);
    try {
      budget.takeValue(value);
      return cap - budget.left;
    } catch (ValueTooLarge e) {
      return cap + 1;
    }
  }

  /**
   * Takes room for a part of the value.
   *
   * @throws ValueTooLarge if there is not enough left
   */
  public void take(long bytes) {
    require(bytes);
    left -= bytes;
  }

  /** Refuses a part for which there is not enough room; takes none. */
  public void require(long bytes) {
    if (bytes > left) {
      throw tooLarge();
    }
  }

  private ValueTooLarge tooLarge() {
    return new ValueTooLarge(
        "%s is too large: it would have more than %,d bytes. Make it smaller, or put it into a resource and pass its reference; the limit is the setting limits.valueBytes"
            .formatted(what, most));
  }

  /** Takes room for an existing value as a part, without writing it. */
  public void takeValue(@Nullable Object value) {
    switch (value) {
      case null -> take(4);
      case CharSequence text -> takeText(text);
      case Boolean truth -> take(truth ? 4 : 5);
      case BigDecimal decimal -> take(decimal.precision());
      case BigInteger whole -> take(1 + whole.bitLength() * 3L / 10);
      case Number number -> take(number.toString().length());
      case Map<?, ?> map -> takeMap(map);
      case Collection<?> list -> takeList(list);
      case Optional<?> optional -> takeValue(optional.orElse(null));
      default -> take(2); // it has no parts
    }
  }

  private void takeMap(Map<?, ?> map) {
    take(map.isEmpty() ? 2 : 1 + 2L * map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      takeText(String.valueOf(entry.getKey()));
      takeValue(entry.getValue());
    }
  }

  private void takeList(Collection<?> list) {
    take(list.isEmpty() ? 2 : 1L + list.size());
    for (Object element : list) {
      takeValue(element);
    }
  }

  /** Takes room for a text as it is, without quotes and escapes. */
  public void takeText(CharSequence text) {
    take(text.length());
    long more = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      more += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
    }
    take(more);
  }

  /** Returns the value as JSON text, which becomes a part of a text. */
  public String write(Object value) {
    String text;
    try {
      text = Json.write(value, (int) Math.min(left, Integer.MAX_VALUE));
    } catch (ValueTooLarge e) {
      throw tooLarge();
    }
    takeText(text);
    return text;
  }
}
