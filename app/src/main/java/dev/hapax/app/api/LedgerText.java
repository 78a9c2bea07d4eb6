package dev.hapax.app.api;

import dev.hapax.app.http.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Divides the text of an import into its rows: lines of JSON, or records of CSV. */
final class LedgerText {
  /** Longer rows are not looked at. */
  static final int LONGEST_ROW = 1 << 20;

  private static final List<String> COLUMNS =
      List.of(
          "name",
          "key",
          "kind",
          "state",
          "revision",
          "run",
          "externalId",
          "output",
          "version",
          "at",
          "note");

  private LedgerText() {}

  /** Takes the rows of a text in their order. */
  interface Rows<T> {
    void row(int line, T content);
  }

  /** Passes on all lines that are not empty, with their numbers from 1 on. */
  static void lines(String text, Rows<String> rows) {
    int line = 1;
    for (int from = 0; from < text.length(); line++) {
      int end = text.indexOf('\n', from);
      int to = end < 0 ? text.length() : end;
      String content = text.substring(from, to).strip();
      if (!content.isEmpty()) {
        rows.row(line, content);
      }
      from = to + 1;
    }
  }

  /**
   * Passes on the records of CSV by the names of their columns; an empty field without quotes is
   * absent. A line that begins with {@code #} is a comment.
   */
  static void records(String text, Rows<Map<String, String>> rows) {
    var reader = new CsvReader(text);
    List<String> head = null;
    while (reader.hasNext()) {
      int line = reader.line();
      List<CsvField> fields = reader.next();
      boolean isEmpty = fields.size() == 1 && fields.getFirst().isAbsent();
      if (isEmpty || fields.getFirst().isComment()) {
        continue;
      }
      if (head == null) {
        head = head(fields);
      } else {
        rows.row(line, named(head, fields));
      }
    }
    if (head == null) {
      throw Problem.invalidInput("CSV: expected a first line with the names of the columns");
    }
  }

  private static List<String> head(List<CsvField> fields) {
    List<String> names = fields.stream().map(CsvField::text).toList();
    for (String name : names) {
      if (!COLUMNS.contains(name)) {
        throw Problem.invalidInput(
            "CSV: expected columns of %s in the first line, got '%s'"
                .formatted(COLUMNS, cut(name)));
      }
    }
    if (names.stream().distinct().count() < names.size()) {
      throw Problem.invalidInput("CSV: expected each column once in the first line");
    }
    return names;
  }

  private static Map<String, String> named(List<String> head, List<CsvField> fields) {
    var named = new LinkedHashMap<String, String>();
    for (int i = 0; i < fields.size(); i++) {
      if (!fields.get(i).isAbsent()) {
        named.put(i < head.size() ? head.get(i) : "column " + (i + 1), fields.get(i).text());
      }
    }
    return named;
  }

  static String cut(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }

  /** A field; one in quotes is there even if it is empty. */
  private record CsvField(String text, boolean isQuoted) {
    boolean isAbsent() {
      return text.isEmpty() && !isQuoted;
    }

    boolean isComment() {
      return text.startsWith("#") && !isQuoted;
    }
  }

  /** Reads records of RFC 4180, one after another. */
  private static final class CsvReader {
    private final String text;
    private int at;
    private int line = 1;

    CsvReader(String text) {
      this.text = text;
    }

    boolean hasNext() {
      return at < text.length();
    }

    int line() {
      return line;
    }

    List<CsvField> next() {
      var fields = new ArrayList<CsvField>();
      while (true) {
        fields.add(field());
        char end = at < text.length() ? text.charAt(at) : '\n';
        at++;
        if (end == '\n') {
          line++;
          return fields;
        }
      }
    }

    private CsvField field() {
      if (at < text.length() && text.charAt(at) == '"') {
        return quoted();
      }
      int from = at;
      while (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != '\n') {
        at++;
      }
      return new CsvField(text.substring(from, at).strip(), false);
    }

    private CsvField quoted() {
      var field = new StringBuilder();
      for (at++; at < text.length(); at++) {
        char c = text.charAt(at);
        if (c == '"') {
          if (at + 1 >= text.length() || text.charAt(at + 1) != '"') {
            break;
          }
          at++;
        } else if (c == '\n') {
          line++;
        }
        field.append(c);
      }
      at++;
      while (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != '\n') {
        at++; // a carriage return, or text behind the quotes
      }
      return new CsvField(field.toString(), true);
    }
  }
}
