package dev.hapax.store;

import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of the durable map to list.
 *
 * @param prefix that their keys begin with; empty for all
 * @param after only those whose key comes after this one; null for the first page
 * @param at entries that have expired by then are left out
 */
public record KvFilter(
    String tenant, String prefix, @Nullable String after, Instant at, int limit) {

  /** The smallest key that can be on this page. */
  public String from() {
    return after == null || CODE_POINTS.compare(after, prefix) < 0 ? prefix : after;
  }

  /** The smallest text that comes after all texts with the prefix; null if there is none. */
  public @Nullable String until() {
    int end = prefix.length();
    while (end > 0) {
      int last = prefix.codePointBefore(end);
      end -= Character.charCount(last);
      if (last < Character.MAX_CODE_POINT) {
        int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
        return prefix.substring(0, end) + Character.toString(next);
      }
    }
    return null;
  }

  /** The order in which databases compare UTF-8; Java's own differs beyond the basic plane. */
  public static final Comparator<String> CODE_POINTS = KvFilter::compare;

  private static int compare(String one, String other) {
    int length = Math.min(one.length(), other.length());
    for (int i = 0; i < length; ) {
      int a = one.codePointAt(i);
      int b = other.codePointAt(i);
      if (a != b) {
        return Integer.compare(a, b);
      }
      i += Character.charCount(a);
    }
    return Integer.compare(one.length(), other.length());
  }
}
