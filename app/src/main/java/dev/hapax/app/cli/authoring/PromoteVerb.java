package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.FindingLines;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "promote",
    description = {
      "Makes a release live: new runs start on it. Use an older number to roll back.",
      "Runs in progress stay on the release that they started on."
    })
public final class PromoteVerb extends ServerVerb {
  @Parameters(index = "0", paramLabel = "FLOW", description = "Name of the flow.")
  String flow = "";

  @Parameters(index = "1", paramLabel = "N", description = "Number of the release.")
  int number;

  @Option(names = MissingOption.NAME, description = MissingOption.MEANING)
  boolean allowMissing;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode state = server.ask(request(flow, number, allowMissing)).json();
    return VerbAnswer.of(
        state,
        "release %d of '%s' is live%n%s"
            .formatted(number, flow, FindingLines.in(state, call.paint())));
  }

  static ServerRequest request(String flow, int number, boolean allowMissing) {
    return ServerRequest.put("/api/flows/{}/live", flow)
        .json(MissingOption.in(Map.of("release", number), allowMissing));
  }
}
