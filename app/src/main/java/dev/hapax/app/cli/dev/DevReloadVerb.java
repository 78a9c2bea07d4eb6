package dev.hapax.app.cli.dev;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.FindingLines;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.VerbCall;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "reload",
    description = {
      "Looks at the folder now, and says what is live.",
      "The server does this by itself a moment after each save; a script uses this to wait for it."
    },
    footer = {"", "Exit code 3: a file has errors; its last good release stays live."})
final class DevReloadVerb extends DevServerVerb {
  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode answer = server.ask(ServerRequest.post("/dev/reload").json("{}")).json();
    var table = new Table("FILE", "FLOW", "RELEASE", "IS LIVE");
    var findings = new StringBuilder();
    int behind = 0;
    for (Item file : new Item(answer).items("files")) {
      boolean isLive = file.text("isLive").equals("true");
      behind += isLive ? 0 : 1;
      table.row(file.text("file"), file.text("flow"), file.text("release"), isLive ? "yes" : "no");
      findings.append(FindingLines.in(file.json(), call.paint()));
    }
    VerbAnswer all = VerbAnswer.of(answer, findings + table.text(call.paint(), "no flow files"));
    return behind == 0
        ? all
        : all.refused(
            Refusal.of(
                    Exit.REFUSED,
                    "findings",
                    "%s not live"
                        .formatted(Words.count(behind, "file") + (behind == 1 ? " is" : " are")))
                .hint("each finding names its fix; the last good release stays live"));
  }
}
