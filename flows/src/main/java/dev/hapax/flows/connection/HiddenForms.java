package dev.hapax.flows.connection;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An index of the texts to hide. It looks at each place of a text once, however many there are: the
 * first four characters find the few texts that may begin there. Immutable.
 */
final class HiddenForms {
  static final HiddenForms NONE = new HiddenForms(List.of());

  private static final int PREFIX = 4;

  private final Map<Integer, Hidden[]> byPrefix = new HashMap<>();
  private final long[] present = new long[1 << 10]; // which prefixes may occur, by a hash
  private final int longest;

  /**
   * A text to hide.
   *
   * @param anyCase whether letters of the other case are the same; then the text is in lower case
   */
  record Hidden(String text, boolean anyCase) {
    static Hidden exactly(String text) {
      return new Hidden(text, false);
    }

    static Hidden inAnyCase(String text) {
      return new Hidden(lower(text), true);
    }

    private boolean isAt(CharSequence where, int at) {
      if (at + text.length() > where.length()) {
        return false;
      }
      for (int i = 0; i < text.length(); i++) {
        char c = where.charAt(at + i);
        if ((anyCase ? lower(c) : c) != text.charAt(i)) {
          return false;
        }
      }
      return true;
    }
  }

  /** Texts shorter than four characters are ignored. */
  HiddenForms(Collection<Hidden> all) {
    Map<Integer, List<Hidden>> found = new HashMap<>();
    int most = 0;
    for (Hidden one : all) {
      if (one.text().length() >= PREFIX) {
        int prefix = prefix(one.text(), 0);
        found.computeIfAbsent(prefix, _ -> new java.util.ArrayList<>()).add(one);
        present[bit(prefix) >> 6] |= 1L << bit(prefix);
        most = Math.max(most, one.text().length());
      }
    }
    Comparator<Hidden> longestFirst = Comparator.comparingInt(one -> -one.text().length());
    found.forEach(
        (prefix, some) ->
            byPrefix.put(prefix, some.stream().sorted(longestFirst).toArray(Hidden[]::new)));
    this.longest = most;
  }

  boolean isEmpty() {
    return byPrefix.isEmpty();
  }

  /** The length of the longest text to hide. */
  int longest() {
    return longest;
  }

  /** Returns how many characters to hide at this place; 0 for none. */
  int lengthAt(CharSequence text, int at) {
    if (at + PREFIX > text.length()) {
      return 0;
    }
    int prefix = prefix(text, at);
    if ((present[bit(prefix) >> 6] & 1L << bit(prefix)) == 0) {
      return 0;
    }
    Hidden @Nullable [] some = byPrefix.get(prefix);
    if (some != null) {
      for (Hidden one : some) {
        if (one.isAt(text, at)) {
          return one.text().length();
        }
      }
    }
    return 0;
  }

  /** A number for four characters, the same for both cases. */
  private static int prefix(CharSequence text, int at) {
    int number = 0;
    for (int i = 0; i < PREFIX; i++) {
      number = 31 * 31 * number + lower(text.charAt(at + i));
    }
    return number;
  }

  private static int bit(int prefix) {
    return (prefix * 0x9E3779B9) >>> 16;
  }

  static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
  }

  private static String lower(String text) {
    var lower = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      lower.append(lower(text.charAt(i)));
    }
    return lower.toString();
  }
}
