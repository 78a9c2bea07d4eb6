package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "comment",
    description = "Writes a comment about a review for the others who look at it.")
final class ReviewComment extends ServerVerb {
  @Parameters(index = "0", paramLabel = "EFFECT", description = "Id of the effect.")
  String effect = "";

  @Parameters(index = "1", paramLabel = "TEXT", description = "The comment.")
  String text = "";

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode changed =
        server
            .ask(ServerRequest.post("/api/reviews/{}/comments", effect).json(Map.of("text", text)))
            .json();
    return VerbAnswer.of(changed, ReviewText.of(new Item(changed), call.paint()));
  }
}
