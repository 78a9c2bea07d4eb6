package dev.hapax.flows.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What remains of a file if one entry of a top-level list is not YAML, such as a step with an open
 * quote. The lines of the entry are empty, so that all other lines keep their numbers.
 *
 * @param ids the ids that the entry seems to have, also of steps inside it
 */
public record Salvage(String rest, List<String> ids) {
  private static final Pattern ID = Pattern.compile("\\bid: *[\"']?([A-Za-z][A-Za-z0-9_-]{0,63})");

  /**
   * Leaves out the entry around this line.
   *
   * @return null if the line is in no entry, or in the only one
   */
  public static @Nullable Salvage of(String text, int line) {
    List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
    int at = Math.min(line, lines.size()) - 1;
    int top = at;
    while (top >= 0 && !isTopLevel(lines.get(top))) {
      top--;
    }
    int first = top < 0 || top == at ? -1 : firstEntry(lines, top + 1);
    if (first < 0 || first > at) {
      return null;
    }
    String mark = lines.get(first).substring(0, lines.get(first).indexOf('-') + 1);
    int begin = at;
    while (!lines.get(begin).startsWith(mark)) {
      begin--;
    }
    int end = begin + 1;
    while (end < lines.size() && !lines.get(end).startsWith(mark) && !isTopLevel(lines.get(end))) {
      end++;
    }
    boolean isOnly = begin == first && (end == lines.size() || isTopLevel(lines.get(end)));
    return isOnly ? null : without(lines, begin, end);
  }

  private static Salvage without(List<String> lines, int begin, int end) {
    var ids = new ArrayList<String>();
    for (int i = begin; i < end; i++) {
      Matcher id = ID.matcher(lines.get(i));
      while (id.find()) {
        ids.add(id.group(1));
      }
      lines.set(i, "");
    }
    return new Salvage(String.join("\n", lines), ids);
  }

  /** Returns -1 if the value of the top-level key is no list. */
  private static int firstEntry(List<String> lines, int from) {
    for (int i = from; i < lines.size() && !isTopLevel(lines.get(i)); i++) {
      String content = lines.get(i).strip();
      if (!content.isEmpty() && !content.startsWith("#")) {
        return content.startsWith("- ") ? i : -1;
      }
    }
    return -1;
  }

  private static boolean isTopLevel(String line) {
    return !line.isBlank() && " #\t\r".indexOf(line.charAt(0)) < 0 && !line.startsWith("- ");
  }
}
