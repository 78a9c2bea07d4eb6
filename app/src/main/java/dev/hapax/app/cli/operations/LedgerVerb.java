package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import dev.hapax.app.cli.verb.VerbGroup;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.store.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "ledger",
    description = "Brings effects of another system into the ledger, and writes the ledger out.")
public final class LedgerVerb extends VerbGroup {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(new VerbEntry("import", Import::new), new VerbEntry("export", Export::new));
  }

  @Command(
      name = "import",
      description = {
        "Imports effects that were done elsewhere: runs reuse them and send nothing.",
        "A row is {name, key, kind, externalId?, output?, version?, at?, note?}. Rows that the ledger has stay as they"
            + " are, so you can repeat an import."
      })
  static final class Import extends ServerVerb {
    @Parameters(
        paramLabel = "FILE",
        description = "Lines of JSON, or CSV if its name ends with .csv; - for standard input.")
    String file = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
      boolean isCsv = file.toLowerCase(Locale.ROOT).endsWith(".csv");
      var total = new ImportTotals();
      for (ImportPages.Page page : ImportPages.of(Inputs.text(file, call.surroundings()), isCsv)) {
        var request =
            ServerRequest.post("/api/ledger/import")
                .body(
                    isCsv ? "text/csv" : "application/x-ndjson",
                    page.text().getBytes(StandardCharsets.UTF_8));
        total.add(server.ask(request).json(), page.linesBefore());
      }
      return total.answer(call.paint());
    }
  }

  @Command(
      name = "export",
      description = {
        "Writes effects into a file that only its owner can read, newest first.",
        "An import takes it. The last line says how many rows there are; a file without it is incomplete."
      })
  static final class Export extends ServerVerb {
    @Option(
        names = {"-o", "--output"},
        paramLabel = "FILE",
        required = true,
        description = "File to create: lines of JSON, or CSV if its name ends with .csv.")
    String file = "";

    @Option(names = "--name", paramLabel = "NAME", description = "Only effects of this name.")
    @Nullable String name;

    @Option(
        names = "--state",
        paramLabel = "STATE",
        description = "Effects in this state; done if it is not given.")
    @Nullable String state;

    @Option(
        names = "--from",
        paramLabel = "TIME",
        description = "Only rows that the ledger got at this time or later.")
    @Nullable String from;

    @Option(
        names = "--to",
        paramLabel = "TIME",
        description = "Only rows that the ledger got before this time.")
    @Nullable String to;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
      boolean isCsv = file.toLowerCase(Locale.ROOT).endsWith(".csv");
      byte[] content =
          server
              .ask(
                  ServerRequest.get("/api/ledger/export")
                      .query("name", name)
                      .query("state", state)
                      .query("from", from)
                      .query("to", to)
                      .query("format", isCsv ? "csv" : "ndjson"))
              .content();
      long rows = rows(lastLine(content), isCsv);
      write(call, content);
      var data = new LinkedHashMap<String, Object>();
      data.put("file", file);
      data.put("rows", rows);
      return VerbAnswer.of(data, "wrote %s, %s".formatted(file, Words.count(rows, "row")));
    }

    private static String lastLine(byte[] content) {
      String text = new String(content, StandardCharsets.UTF_8).stripTrailing();
      return text.substring(text.lastIndexOf('\n') + 1);
    }

    private static long rows(String last, boolean isCsv) {
      try {
        if (isCsv && last.startsWith("# end, rows: ")) {
          return Long.parseLong(last.substring("# end, rows: ".length()));
        }
        if (!isCsv && Json.tree(last).has("end")) {
          return Json.tree(last).path("end").asLong();
        }
      } catch (NumberFormatException | NotSerializable cutOff) {
        // falls through: the line is not whole
      }
      throw Refusal.of(
              Exit.UNREACHABLE, "incomplete", "the export ended early: its last line is missing")
          .hint("call it again");
    }

    private void write(VerbCall call, byte[] content) throws IOException {
      var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      try (FileChannel out = OwnerOnly.open(call.surroundings().path(file), options)) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
      } catch (FileAlreadyExistsException e) {
        throw Refusal.of(Exit.REFUSED, "exists", "'%s' exists already".formatted(file))
            .hint("choose another name");
      }
    }
  }
}
