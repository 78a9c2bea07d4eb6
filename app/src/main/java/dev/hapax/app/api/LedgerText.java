package dev.hapax.app.api;

import dev.hapax.app.http.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

  /** Spreadsheets begin a file of UTF-8 with it. */
  private static final String BYTE_ORDER_MARK = "\ufeff";

  private LedgerText() {}

  /** Takes the rows that cannot be divided into fields. */
  interface Faults {
    void fault(int line, String problem);
  }

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
  static void records(String text, Rows<Map<String, String>> rows, Faults faults) {
    var reader = new CsvReader(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
    List<String> head = null;
    while (reader.hasNext()) {
      if (reader.skippedComment()) {
        continue;
      }
      int line = reader.line();
      List<CsvField> fields = reader.next();
      if (reader.fault() != null && head != null) {
        faults.fault(line, reader.fault());
        continue;
      }
      if (reader.fault() != null) {
        throw Problem.invalidInput("CSV, line %d: %s".formatted(line, reader.fault()));
      }
      if (fields.size() == 1 && fields.getFirst().isAbsent()) {
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
  }

  /**
   * Reads records of RFC 4180, one after another. Nothing is guessed: a record whose quotes are
   * wrong is at fault, because a key that is cut would be another key.
   */
  private static final class CsvReader {
    private final String text;
    private int at;
    private int line = 1;
    private @Nullable String fault;

    CsvReader(String text) {
      this.text = text;
    }

    boolean hasNext() {
      return at < text.length();
    }

    int line() {
      return line;
    }

    /** Whether a comment began here, which is over now. Quotes in it mean nothing. */
    boolean skippedComment() {
      int from = at;
      while (from < text.length() && (text.charAt(from) == ' ' || text.charAt(from) == '\t')) {
        from++;
      }
      if (from >= text.length() || text.charAt(from) != '#') {
        return false;
      }
      int end = text.indexOf('\n', from);
      at = end < 0 ? text.length() : end + 1;
      line++;
      return true;
    }

    /** What is wrong with the record that was read last; null if nothing is. */
    @Nullable String fault() {
      return fault;
    }

    List<CsvField> next() {
      fault = null;
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
      String field = text.substring(from, at).strip();
      if (field.indexOf('"') >= 0) {
        refuse(
            "expected quotes around a whole field that has quotes, got '%s'".formatted(cut(field)));
      }
      return new CsvField(field, false);
    }

    private CsvField quoted() {
      var field = new StringBuilder();
      int begin = at;
      boolean isClosed = false;
      for (at++; at < text.length(); at++) {
        char c = text.charAt(at);
        if (c == '"') {
          if (at + 1 >= text.length() || text.charAt(at + 1) != '"') {
            isClosed = true;
            break;
          }
          at++;
        } else if (c == '\n') {
          line++;
        }
        field.append(c);
      }
      if (!isClosed) {
        refuse(
            "the quotes that open at '%s' are never closed, so all that follows would be one field"
                .formatted(cut(text.substring(begin).lines().findFirst().orElse(""))));
      }
      at++;
      int behind = Math.min(at, text.length());
      while (at < text.length() && text.charAt(at) != ',' && text.charAt(at) != '\n') {
        at++;
      }
      String rest = text.substring(behind, Math.max(behind, Math.min(at, text.length()))).strip();
      if (!rest.isEmpty()) {
        refuse("expected a comma behind the closing quotes, got '%s'".formatted(cut(rest)));
      }
      return new CsvField(field.toString(), true);
    }

    private void refuse(String problem) {
      fault = fault == null ? problem : fault;
    }
  }
}
