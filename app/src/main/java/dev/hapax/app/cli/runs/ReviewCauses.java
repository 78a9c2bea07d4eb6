package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "causes",
    description = {
      "Groups reviews by their cause: flow, step, destination and error.",
      "The reviews of one: hapax review list --cause CAUSE"
    })
final class ReviewCauses extends ServerVerb {
  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode page = server.ask(ServerRequest.get("/api/reviews/causes")).json();
    var table = new Table("CAUSE", "COUNT", "OLDEST", "FLOW", "STEP", "DESTINATION", "ERROR");
    for (JsonNode one : page.path("items")) {
      var cause = new Item(one);
      table.row(
          cause.text("cause"),
          cause.text("count"),
          ReviewText.age(one.path("oldestAgeSeconds").asLong(-1)),
          cause.text("flow"),
          cause.text("step"),
          cause.text("destination"),
          Words.line(cause.text("error")));
    }
    VerbAnswer answer = VerbAnswer.of(page, table.text(call.paint(), "none"));
    return page.path("complete").asBoolean(true)
        ? answer
        : answer.note("there are more reviews or causes than are counted here");
  }
}
