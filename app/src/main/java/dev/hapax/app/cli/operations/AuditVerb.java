package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "audit",
    description =
        "Lists and exports the audit log, oldest first, and verifies that it is unchanged.")
public final class AuditVerb extends AuditList {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("export", AuditExport::new),
        new VerbEntry("checkpoint", Checkpoint::new),
        new VerbEntry("verify", Verify::new));
  }

  @Command(name = "list", description = "Lists the lines of the audit log, oldest first.")
  static final class List extends AuditList {}

  @Command(
      name = "checkpoint",
      description = {
        "Prints a signed statement about the end of the audit log. Keep it outside the server's"
            + " machine: 'audit verify --checkpoint FILE' then shows that no line up to it was"
            + " changed, and that the database was not set back."
      })
  static final class Checkpoint extends ServerVerb {
    @Option(
        names = {"-o", "--output"},
        paramLabel = "FILE",
        description = "File to create, instead of printing the statement.")
    @Nullable String file;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
      JsonNode made = server.ask(ServerRequest.get("/api/audit/checkpoint")).json();
      String text = made.toString();
      if (file == null) {
        return VerbAnswer.of(made, text);
      }
      Files.writeString(call.surroundings().path(file), text + "\n", StandardOpenOption.CREATE_NEW);
      return VerbAnswer.of(
          made, "wrote %s, up to line %s".formatted(file, new Item(made).text("number")));
    }
  }

  @Command(
      name = "verify",
      description = {
        "Verifies every line of the audit log: each has a mark, and names the mark of the line before.",
        "With --checkpoint it also verifies that the log still has what the checkpoint states."
      },
      footer = {
        "",
        "Exit code 0: the log is intact; 3: it is not, and the answer lists the problems."
      })
  static final class Verify extends ServerVerb {
    @Option(
        names = "--checkpoint",
        paramLabel = "FILE",
        description = "Statement that 'audit checkpoint' has written earlier.")
    @Nullable String checkpoint;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode seen = server.ask(request(call)).json();
      var log = new Item(seen);
      String lines = Words.count(seen.path("lines").asInt(), "line");
      if (log.is("intact")) {
        return VerbAnswer.of(
            seen,
            "intact: %s, the last mark is %s%s".formatted(lines, log.text("last"), gaps(log)));
      }
      var table = new Table("LINE", "PROBLEM");
      for (Item finding : log.items("findings")) {
        table.row(finding.text("number"), finding.text("problem"));
      }
      return VerbAnswer.of(seen, table.text(call.paint(), "none"))
          .refused(
              Refusal.of(
                  Exit.REFUSED,
                  "findings",
                  "the audit log was changed after it was written (%s)".formatted(lines)));
    }

    private ServerRequest request(VerbCall call) {
      return checkpoint == null
          ? ServerRequest.get("/api/audit/verification")
          : ServerRequest.post("/api/audit/verification")
              .body("application/json", Inputs.bytes(checkpoint, call.surroundings()));
    }

    private static String gaps(Item log) {
      var text = new StringBuilder();
      for (Item gap : log.items("gaps")) {
        text.append(
            "%nmissing: the lines between %s and %s, because the store was restored"
                .formatted(
                    gap.text("since"), gap.text("until").isEmpty() ? "now" : gap.text("until")));
      }
      return text.toString();
    }
  }
}
