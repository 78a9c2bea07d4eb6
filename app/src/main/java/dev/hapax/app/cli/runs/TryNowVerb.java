package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "try-now",
    description = {
      "Lets a run that waits for its next attempts make them now.",
      "Each counts as an attempt. The settle time of a lookup, and the rates and the circuit breaker of a",
      "destination, still hold."
    })
public final class TryNowVerb extends ServerVerb {
  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  String run = "";

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    return RunAnswer.seen(
        server.ask(ServerRequest.post("/api/runs/{}/try-now", run).json("{}")).json(),
        call.paint());
  }
}
