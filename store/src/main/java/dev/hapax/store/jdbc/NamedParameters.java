package dev.hapax.store.jdbc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A statement whose named parameters were replaced by {@code ?}. */
final class NamedParameters {
  private static final int MOST = 64;

  /** A name, or a quoted text that may look as if it contained one. */
  private static final Pattern NAME = Pattern.compile("'[^']*'|(?<!:):([a-z_]+)");

  /** A program has few texts, and prepares them again for every connection. */
  private static final Map<String, NamedParameters> KNOWN = new ConcurrentHashMap<>();

  static final int[][] ONE_PLACE_EACH = new int[MOST][];

  static {
    for (int i = 0; i < MOST; i++) {
      ONE_PLACE_EACH[i] = new int[] {i + 1};
    }
  }

  private final String text;
  private final int[][] places;

  private NamedParameters(String text, int[][] places) {
    this.text = text;
    this.places = places;
  }

  String text() {
    return text;
  }

  /** The places of each parameter, in the order in which their names first appear. */
  int[][] places() {
    return places;
  }

  static NamedParameters in(String sql) {
    return KNOWN.computeIfAbsent(sql, NamedParameters::translate);
  }

  private static NamedParameters translate(String sql) {
    Map<String, List<Integer>> places = new LinkedHashMap<>();
    var text = new StringBuilder();
    Matcher found = NAME.matcher(sql);
    int place = 0;
    while (found.find()) {
      String name = found.group(1);
      if (name == null) {
        found.appendReplacement(text, Matcher.quoteReplacement(found.group()));
      } else {
        places.computeIfAbsent(name, _ -> new ArrayList<>()).add(++place);
        found.appendReplacement(text, "?");
      }
    }
    found.appendTail(text);
    return new NamedParameters(
        text.toString(),
        places.values().stream()
            .map(all -> all.stream().mapToInt(Integer::intValue).toArray())
            .toArray(int[][]::new));
  }
}
