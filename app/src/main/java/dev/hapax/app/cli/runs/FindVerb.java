package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "find",
    description = {
      "Finds a text everywhere: ids, keys, external ids, wire keys, searchable fields, events, flows.",
      "Exact matches come first, then what begins with the text. NEXT is the command to look further."
    })
public final class FindVerb extends ServerVerb {
  @Parameters(paramLabel = "TEXT", description = "The text, or its beginning.")
  String text = "";

  @Option(names = "--draft", description = "Look among the runs and effects of drafts.")
  boolean draft;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode page =
        server
            .ask(
                ServerRequest.get("/api/find")
                    .query("q", text)
                    .query("draft", draft ? Boolean.TRUE : null))
            .json();
    var table = new Table("KIND", "BY", "VALUE", "FLOW", "STATUS", "NEXT");
    for (JsonNode hit : page.path("items")) {
      var item = new Item(hit);
      table.row(
          item.text("kind"),
          item.text("by"),
          item.text("value"),
          item.text("flow"),
          item.text("status"),
          item.text("next"));
    }
    return VerbAnswer.of(page, table.text(call.paint(), "nothing found"));
  }
}
