package dev.hapax.flows.expression;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** "did you mean": the known word that is nearest to an unknown one. */
public final class Suggestion {
  private Suggestion() {}

  /** Returns an empty text if no known word is near. */
  public static String among(String unknown, Collection<String> known) {
    return known.stream()
        .filter(word -> distance(unknown, word) <= nearby(word))
        .min(
            Comparator.comparingInt((String word) -> distance(unknown, word))
                .thenComparing(word -> word))
        .map(", did you mean '%s'?"::formatted)
        .orElse("");
  }

  private static int nearby(String word) {
    return word.length() <= 3 ? 1 : word.length() <= 6 ? 2 : 3;
  }

  /** Returns how many letters differ, ignoring case. */
  private static int distance(String one, String other) {
    String a = one.toLowerCase(Locale.ROOT);
    String b = other.toLowerCase(Locale.ROOT);
    if (Math.abs(a.length() - b.length()) > 3) {
      return Integer.MAX_VALUE;
    }
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(diagonal + change, Math.min(above, row[j - 1]) + 1);
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
