package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "show",
    aliases = "get",
    description = {
      "Shows a review with its evidence: request, attempts, answers, lookups, runbook, comments.",
      "Settle it with the revision and the attempts that it shows."
    })
final class ReviewShow extends ServerVerb {
  @Parameters(paramLabel = "EFFECT", description = "Id of the effect.")
  String effect = "";

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode found = server.ask(ServerRequest.get("/api/reviews/{}", effect)).json();
    return VerbAnswer.of(found, ReviewText.of(new Item(found), call.paint()));
  }
}
