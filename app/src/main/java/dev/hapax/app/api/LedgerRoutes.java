package dev.hapax.app.api;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.LedgerLine;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.LedgerRow;
import dev.hapax.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ledger as a whole: effects of another system come in, and rows go out. */
public final class LedgerRoutes {
  private static final int LARGEST_IMPORT = 8 << 20;
  private static final int CHUNK = 32 << 10;
  private static final String NDJSON = "application/x-ndjson";
  private static final String CSV = "text/csv";

  private final StartableFlows flows;

  public LedgerRoutes(StartableFlows flows) {
    this.flows = flows;
  }

  /** Returns its routes. A token that is limited to flows cannot call them. */
  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/ledger/import",
                TokenScope.EFFECTS_SETTLE,
                "Import effects that were done elsewhere",
                this::bringIn)
            .largestBody(LARGEST_IMPORT)
            .query("draft", "With true, imports into the ledger of drafts instead.")
            .takes(NDJSON)
            .gives(200, LedgerImport.Result.class),
        Route.get(
                "/api/ledger/export",
                TokenScope.EFFECTS_READ,
                "Export effects, newest first",
                LedgerRoutes::export)
            .query("name", "Only effects of this name.")
            .query("state", "The effect's state; done if it is not given.")
            .query("from", "Only rows that the ledger got at this time or later.")
            .query("to", "Only rows that the ledger got before this time.")
            .query("format", "`ndjson` or `csv`.")
            .query("draft", "With true, exports the ledger of drafts instead.")
            .givesText(NDJSON));
  }

  private RouteAnswer bringIn(Call call) {
    call.allowQuery(Space.DRAFT);
    String type = call.header("Content-Type");
    String text = call.text();
    var into =
        new LedgerImport(
            Space.of(call).ledger(),
            call.actor().name(),
            effect -> flows.readerOf(call.actor().tenant(), effect));
    return RouteAnswer.ok(isCsv(type) ? into.csv(text) : into.ndjson(text));
  }

  private static boolean isCsv(@Nullable String type) {
    String word = type == null ? NDJSON : type.toLowerCase(Locale.ROOT);
    if (word.startsWith(CSV)) {
      return true;
    }
    if (word.startsWith(NDJSON)
        || word.startsWith("application/json")
        || word.startsWith("text/plain")) {
      return false;
    }
    throw Problem.unsupportedMediaType(
        "Content-Type: expected %s or %s, got '%s'".formatted(NDJSON, CSV, type));
  }

  private static RouteAnswer export(Call call) {
    call.allowQuery("name", "state", "from", "to", "format", Space.DRAFT);
    boolean isCsv = isCsvWanted(call.query("format"));
    EffectState wanted = Effects.state(call.query("state"));
    EffectState state = wanted == null ? EffectState.DONE : wanted;
    String name = call.query("name");
    Instant from = instant("from", call.query("from"));
    Instant to = instant("to", call.query("to"));
    var ledger = Space.of(call).ledger();
    return RouteAnswer.stream(
        sink -> {
          var out = new Lines(sink, isCsv);
          ledger.export(state, name, from, to, out::row);
          out.end();
        },
        isCsv ? CSV : NDJSON);
  }

  private static boolean isCsvWanted(@Nullable String format) {
    return switch (format) {
      case null -> false;
      case "ndjson" -> false;
      case "csv" -> true;
      default ->
          throw Problem.invalidInput(
              "format: expected ndjson or csv, got '%s'".formatted(LedgerText.cut(format)));
    };
  }

  private static @Nullable Instant instant(String what, @Nullable String text) {
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException e) {
      throw Problem.invalidInput(
          "%s: expected a time such as 2026-03-01T10:00:00Z, got '%s'"
              .formatted(what, LedgerText.cut(text)));
    }
  }

  /**
   * Sends rows in chunks. The last line says how many they are: without it, the rest is missing.
   */
  private static final class Lines {
    private final RouteAnswer.Sink sink;
    private final boolean isCsv;
    private final StringBuilder chunk = new StringBuilder();
    private long rows;

    Lines(RouteAnswer.Sink sink, boolean isCsv) {
      this.sink = sink;
      this.isCsv = isCsv;
      if (isCsv) {
        chunk.append(LedgerLine.CSV_HEAD).append('\n');
      }
    }

    void row(LedgerRow row) {
      LedgerLine line = LedgerLine.of(row);
      chunk.append(isCsv ? line.csv() : Json.write(line) + "\n");
      rows++;
      if (chunk.length() >= CHUNK) {
        send();
      }
    }

    void end() {
      chunk.append(isCsv ? "# end, rows: " + rows : Json.write(Map.of("end", rows))).append('\n');
      send();
    }

    private void send() {
      if (sink.isClosing()) {
        throw new IllegalStateException("the server is closing: the export ends early");
      }
      try {
        sink.send(chunk.toString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      chunk.setLength(0);
    }
  }
}
