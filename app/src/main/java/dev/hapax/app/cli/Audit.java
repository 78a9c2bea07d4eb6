package dev.hapax.app.cli;

import java.util.stream.Stream;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "audit",
    description = "Lists who decided what, oldest first, and looks whether the log is untouched.")
final class Audit extends AuditList {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(new VerbEntry("list", List::new), new VerbEntry("verify", Verify::new));
  }

  @Command(name = "list", description = "Lists the lines of the audit log, oldest first.")
  static final class List extends AuditList {}

  @Command(
      name = "verify",
      description = {
        "Looks at every line of the audit log: each is marked, and names the mark of the one before.",
        "Whoever keeps the last mark elsewhere can tell later that nothing before it was taken away."
      },
      footer = {"", "Exit code 0: it is as it was written; 3: it is not, with what is wrong."})
  static final class Verify extends ServerVerb {
    @Override
    Answer answer(Call call, Server server) {
      JsonNode seen = server.ask(Request.get("/api/audit/verification")).json();
      var log = new Item(seen);
      String lines = Words.count(seen.path("lines").asInt(), "line");
      if (log.is("intact")) {
        return Answer.of(
            seen,
            "intact: %s, the last mark is %s%s".formatted(lines, log.text("last"), gaps(log)));
      }
      var table = new Table("LINE", "PROBLEM");
      for (Item finding : log.items("findings")) {
        table.row(finding.text("number"), finding.text("problem"));
      }
      return Answer.of(seen, table.text(call.paint(), "none"))
          .refused(
              Refusal.of(
                  Exit.REFUSED,
                  "findings",
                  "the audit log is not as it was written (%s)".formatted(lines)));
    }

    private static String gaps(Item log) {
      var text = new StringBuilder();
      for (Item gap : log.items("gaps")) {
        text.append(
            "%nmissing: what was written between %s and %s, because the store was restored"
                .formatted(
                    gap.text("since"), gap.text("until").isEmpty() ? "now" : gap.text("until")));
      }
      return text.toString();
    }
  }
}
