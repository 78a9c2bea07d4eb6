package dev.hapax.flows.check;

import dev.hapax.flows.expression.Position;

/** A line of a file as shown to people, with a mark below the place of a finding. */
final class Excerpt {
  private static final int WIDEST = 100;

  /** The characters shown before the place if a line is too long. */
  private static final int BEFORE = 60;

  private Excerpt() {}

  /** Returns two lines with their line ends; empty if the line is empty or does not exist. */
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
