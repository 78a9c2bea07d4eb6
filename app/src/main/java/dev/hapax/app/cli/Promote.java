package dev.hapax.app.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "promote",
    description = {
      "Makes a release live: new runs start on it. An older number rolls back.",
      "Runs that are under way stay on the release they started on."
    })
final class Promote extends ServerVerb {
  @Parameters(index = "0", paramLabel = "FLOW", description = "Name of the flow.")
  String flow = "";

  @Parameters(index = "1", paramLabel = "N", description = "Number of the release.")
  int number;

  @Override
  Answer answer(Call call, Server server) {
    JsonNode state = server.ask(request(flow, number)).json();
    return Answer.of(state, "release %d of '%s' is live".formatted(number, flow));
  }

  static Request request(String flow, int number) {
    return Request.put("/api/flows/{}/live", flow).json(Map.of("release", number));
  }
}
