package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(name = "assign", description = "Says who takes care of a review.")
final class ReviewAssign extends ServerVerb {
  @Parameters(index = "0", paramLabel = "EFFECT", description = "Id of the effect.")
  String effect = "";

  @Parameters(index = "1", arity = "0..1", paramLabel = "PERSON", description = "The person.")
  @Nullable String person;

  @Option(names = "--none", description = "Take it from the person who has it.")
  boolean none;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    if ((person == null) != none) {
      throw Refusal.usage("expected a PERSON, or --none");
    }
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("assignee", person);
    JsonNode changed =
        server.ask(ServerRequest.post("/api/reviews/{}/assign", effect).json(body)).json();
    return VerbAnswer.of(changed, ReviewText.of(new Item(changed), call.paint()));
  }
}
