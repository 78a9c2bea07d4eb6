package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "resume",
    description = {
      "Lets a quarantined run continue.",
      "A run is quarantined if it was alone in memory at two ends of the server in a row.",
      "If it ends the server again, it is quarantined again."
    })
public final class ResumeVerb extends ServerVerb {
  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  String run = "";

  @Option(names = "--reason", paramLabel = "TEXT", description = "Reason, recorded in the history.")
  @Nullable String reason;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    Map<String, Object> body = reason == null ? Map.of() : Map.of("reason", reason);
    return RunAnswer.seen(
        server.ask(ServerRequest.post("/api/runs/{}/resume", run).json(body)).json(), call.paint());
  }
}
