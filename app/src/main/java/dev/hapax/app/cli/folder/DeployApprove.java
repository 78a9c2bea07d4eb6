package dev.hapax.app.cli.folder;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "approve",
    description = {
      "Makes a deployment live that waits for another person. Its author cannot do that.",
      "It is refused if the server has changed since it was planned."
    })
final class DeployApprove extends ServerVerb {
  @Parameters(paramLabel = "NUMBER", description = "Number of the deployment.")
  int number;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode approved =
        server
            .ask(ServerRequest.post("/api/deployments/{}/approve", Integer.toString(number)))
            .json();
    return VerbAnswer.of(approved, DeployList.sentence(approved));
  }
}
