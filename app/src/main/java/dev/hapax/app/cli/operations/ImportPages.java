package dev.hapax.app.cli.operations;

import java.util.ArrayList;
import java.util.List;

/** Divides the text of an import into parts that a server takes, between two rows. */
final class ImportPages {
  private static final int PAGE_CHARS = 1 << 20;

  private static final String BYTE_ORDER_MARK = "\ufeff";

  private ImportPages() {}

  /**
   * A part of the text.
   *
   * @param linesBefore how many lines of the file are before its first line
   */
  record Page(String text, int linesBefore) {}

  /** Each part of CSV begins with the names of the columns. */
  static List<Page> of(String text, boolean isCsv) {
    var pages = new ArrayList<Page>();
    String head = isCsv ? head(text) : "";
    int headLines = (int) head.chars().filter(c -> c == '\n').count();
    int from = head.length();
    int lines = headLines;
    do {
      int to = end(text, from, isCsv);
      String rows = text.substring(from, to);
      pages.add(new Page(head + rows, lines - headLines));
      lines += (int) rows.chars().filter(c -> c == '\n').count();
      from = to;
    } while (from < text.length());
    return pages;
  }

  /** The names of the columns, and the comments before them. */
  private static String head(String text) {
    int from = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    while (true) {
      int end = text.indexOf('\n', from);
      if (end < 0) {
        return text;
      }
      String line = text.substring(from, end).strip();
      if (!line.isEmpty() && line.charAt(0) != '#') {
        return text.substring(0, end + 1);
      }
      from = end + 1;
    }
  }

  /** A line break in quotes is inside a row. */
  private static int end(String text, int from, boolean isCsv) {
    boolean isQuoted = false;
    for (int at = from; at < text.length(); at++) {
      char c = text.charAt(at);
      isQuoted ^= isCsv && c == '"';
      if (c == '\n' && !isQuoted && at - from >= PAGE_CHARS) {
        return at + 1;
      }
    }
    return text.length();
  }
}
