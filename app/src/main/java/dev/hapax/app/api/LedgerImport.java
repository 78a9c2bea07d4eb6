package dev.hapax.app.api;

import dev.hapax.ImportReport;
import dev.hapax.LedgerBook;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Kind;
import dev.hapax.flow.LedgerRow;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads the rows of an import one after another, and writes them in pages, each in one commit. A
 * row that cannot be taken is reported and holds up no other. Used by one thread.
 */
final class LedgerImport {
  /** A page's outputs; a page also has a most number of rows. */
  private static final int PAGE_CHARS = 1 << 20;

  private static final int MOST_REPORTED = 100;
  private static final String CORRECT =
      "Correct the row and import the file again: rows that the ledger has count as same.";

  private final LedgerBook ledger;
  private final String actor;
  private final Function<String, @Nullable String> readers;
  private final Map<String, String> knownReaders = new LinkedHashMap<>();
  private final List<LedgerRow> page = new ArrayList<>();
  private final List<Integer> lines = new ArrayList<>();
  private final List<ReportedRow> problems = new ArrayList<>();
  private int chars;
  private int rows;
  private int added;
  private int same;
  private int exists;
  private int refused;

  /**
   * An import into a ledger.
   *
   * @param readers returns where the output of an effect of this name is read; null if nowhere
   */
  LedgerImport(LedgerBook ledger, String actor, Function<String, @Nullable String> readers) {
    this.ledger = ledger;
    this.actor = actor;
    this.readers = readers;
  }

  /**
   * The result of an import.
   *
   * @param rows how many were given
   * @param added how many are new in the ledger
   * @param same how many the ledger had before, with the same content
   * @param exists how many the ledger has with other content; they stay as they are
   * @param refused how many cannot be taken
   * @param problems the first of those that exist or are refused
   */
  record Result(
      int rows, int added, int same, int exists, int refused, List<ReportedRow> problems) {}

  /**
   * A row that was not taken.
   *
   * @param line where it begins, from 1 on
   * @param result {@code refused} or {@code exists}
   * @param effect the id of the row that the ledger has
   * @param problem what was expected, and what was found
   * @param todo what to do
   */
  record ReportedRow(
      int line, String result, @Nullable String effect, String problem, String todo) {}

  Result ndjson(String text) {
    LedgerText.lines(text, this::line);
    return result();
  }

  Result csv(String text) {
    LedgerText.records(
        text,
        this::fields,
        (line, problem) -> {
          rows++;
          refuse(line, problem);
        });
    return result();
  }

  private void line(int line, String json) {
    rows++;
    if (json.length() > LedgerText.LONGEST_ROW) {
      refuse(line, tooLong(json.length()));
      return;
    }
    try {
      JsonNode tree = Call.parsed(json);
      if (isEnd(tree)) {
        rows--;
        return;
      }
      add(line, Call.read(tree, Body.class), json.length());
    } catch (Problem | IllegalArgumentException e) {
      refuse(line, String.valueOf(e.getMessage()));
    }
  }

  /** The last line of an export is no row. */
  private static boolean isEnd(JsonNode tree) {
    return tree.isObject() && tree.size() == 1 && tree.has("end");
  }

  private void fields(int line, Map<String, String> fields) {
    rows++;
    int length = fields.values().stream().mapToInt(String::length).sum();
    if (length > LedgerText.LONGEST_ROW) {
      refuse(line, tooLong(length));
      return;
    }
    try {
      var row = new LinkedHashMap<String, Object>(fields);
      row.computeIfPresent("output", (_, json) -> Call.parsed((String) json));
      row.computeIfPresent("revision", (_, text) -> number((String) text));
      add(line, Call.read(Json.tree(Json.write(row)), Body.class), length);
    } catch (Problem | IllegalArgumentException e) {
      refuse(line, String.valueOf(e.getMessage()));
    }
  }

  private static Object number(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "revision: expected a whole number from 1 on, got '%s'".formatted(LedgerText.cut(text)),
          e);
    }
  }

  private static String tooLong(int length) {
    return "expected a row of at most %,d characters, got %,d"
        .formatted(LedgerText.LONGEST_ROW, length);
  }

  private void add(int line, Body body, int length) {
    LedgerRow row = body.row();
    String reader = row.output() == null ? readerOf(row.name()) : "";
    if (!reader.isEmpty()) {
      throw new IllegalArgumentException(
          "output: expected a value, because %s reads the output of this effect".formatted(reader));
    }
    page.add(row);
    lines.add(line);
    chars += length;
    if (page.size() == LedgerBook.MOST_ROWS || chars >= PAGE_CHARS) {
      write();
    }
  }

  private String readerOf(String effect) {
    return knownReaders.computeIfAbsent(
        effect,
        name -> {
          String reader = readers.apply(name);
          return reader == null ? "" : reader;
        });
  }

  private void refuse(int line, String problem) {
    refused++;
    report(new ReportedRow(line, "refused", null, problem, CORRECT));
  }

  private void report(ReportedRow row) {
    if (problems.size() < MOST_REPORTED) {
      problems.add(row);
    }
  }

  private void write() {
    ImportReport report = ledger.bringIn(page, actor);
    added += report.added();
    same += report.same();
    exists += report.kept().size();
    for (ImportReport.KeptRow kept : report.kept()) {
      report(
          new ReportedRow(
              lines.get(kept.index()),
              "exists",
              kept.effect(),
              kept.difference(),
              "Nothing was changed. Look at the effect; remove the row if the ledger is right."));
    }
    page.clear();
    lines.clear();
    chars = 0;
  }

  private Result result() {
    write();
    problems.sort(Comparator.comparingInt(ReportedRow::line));
    return new Result(rows, added, same, exists, refused, problems);
  }

  /** A row as it is written. */
  record Body(
      @Nullable String name,
      @Nullable String key,
      @Nullable String kind,
      @Nullable String state,
      @Nullable Integer revision,
      @Nullable String run,
      @Nullable String externalId,
      @Nullable JsonNode output,
      @Nullable JsonNode version,
      @Nullable String at,
      @Nullable String note) {

    LedgerRow row() {
      if (state != null && !state.equals(EffectState.DONE.word())) {
        throw new IllegalArgumentException(
            "state: expected done, got '%s'; only effects that are done are imported"
                .formatted(LedgerText.cut(state)));
      }
      return new LedgerRow(
          needed("name", name),
          needed("key", key),
          kind(needed("kind", kind)),
          EffectState.DONE,
          revision == null ? 1 : revision,
          run,
          externalId,
          output == null ? null : Json.write(output),
          version == null || version.isNull() ? null : ObjectVersion.ofValue(Call.value(version)),
          at == null ? null : instant(at),
          note);
    }

    private static String needed(String member, @Nullable String value) {
      if (value == null || value.isEmpty()) {
        throw new IllegalArgumentException(member + ": expected a text, got nothing");
      }
      return value;
    }

    private static Kind kind(String word) {
      return Arrays.stream(Kind.values())
          .filter(kind -> kind.name().toLowerCase(Locale.ROOT).equals(word))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "kind: expected create, update, notify or additive, got '%s'"
                          .formatted(LedgerText.cut(word))));
    }

    private static Instant instant(String text) {
      try {
        return Instant.parse(text);
      } catch (DateTimeException e) {
        throw new IllegalArgumentException(
            "at: expected a time such as 2026-03-01T10:00:00Z, got '%s'"
                .formatted(LedgerText.cut(text)),
            e);
      }
    }
  }
}
