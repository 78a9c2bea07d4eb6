package dev.hapax.app.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Rows under headings, as wide as their widest cell. */
public final class Table {
  private static final int WIDEST = 60;

  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... headings) {
    this.headings = List.of(headings);
  }

  public Table row(Object... cells) {
    var row = new ArrayList<String>();
    for (Object cell : cells) {
      row.add(oneLine(String.valueOf(cell)));
    }
    rows.add(row);
    return this;
  }

  /**
   * Returns the table as lines.
   *
   * @param empty the text if there are no rows
   */
  public String text(Paint paint, String empty) {
    if (rows.isEmpty()) {
      return empty;
    }
    int[] widths = widths();
    var text = new StringBuilder();
    appendLine(text, headings, widths, paint::strong);
    for (List<String> row : rows) {
      appendLine(text, row, widths, paint::status);
    }
    return text.toString();
  }

  private int[] widths() {
    int[] widths = new int[headings.size()];
    for (int column = 0; column < widths.length; column++) {
      widths[column] = headings.get(column).length();
      for (List<String> row : rows) {
        widths[column] = Math.max(widths[column], lengthOf(row.get(column)));
      }
    }
    return widths;
  }

  /** The last column is not filled up, so that no line ends in spaces. */
  private static void appendLine(
      StringBuilder text, List<String> cells, int[] widths, UnaryOperator<String> painted) {
    int last = cells.size() - 1;
    while (last > 0 && cells.get(last).isEmpty()) {
      last--;
    }
    for (int column = 0; column <= last; column++) {
      String cell = cells.get(column);
      text.append(painted.apply(cell));
      if (column < last) {
        text.repeat(' ', widths[column] - lengthOf(cell) + 2);
      }
    }
    text.append('\n');
  }

  private static int lengthOf(String cell) {
    return cell.codePointCount(0, cell.length());
  }

  private static String oneLine(String cell) {
    String plain = Words.line(cell);
    return lengthOf(plain) <= WIDEST
        ? plain
        : plain.substring(0, plain.offsetByCodePoints(0, WIDEST - 1)) + "…";
  }
}
