package dev.hapax.flows.check;

import dev.hapax.flows.expression.Position;

/** A line of a file as people are shown it, with a mark below the place that is meant. */
final class Excerpt {
  private static final int WIDEST = 100;

  /** What is seen in front of the place where a line is too long. */
  private static final int BEFORE = 60;

  private Excerpt() {}

  /** Two lines, each with its end; empty if the file has no such line, or an empty one. */
  static String of(String source, Position position) {
    String line = source.lines().skip(position.line() - 1L).findFirst().orElse("");
    int column = Math.min(position.column() - 1, line.length());
    if (line.isBlank()) {
      return "";
    }
    int from = line.length() <= WIDEST ? 0 : Math.max(0, column - BEFORE);
    int to = Math.min(line.length(), from + WIDEST);
    String shown =
        (from > 0 ? "…" : "") + line.substring(from, to) + (to < line.length() ? "…" : "");
    int mark = column - from + (from > 0 ? 1 : 0);
    String number = Integer.toString(position.line());
    return "  %s | %s%n  %s | %s^%n"
        .formatted(
            number,
            shown.replaceAll("\\p{Cntrl}", " "),
            " ".repeat(number.length()),
            " ".repeat(mark));
  }
}
