package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.FindingLines;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "retire",
    description = {
      "Retires a flow: nothing starts it any more, its webhooks and schedules end.",
      "Runs in progress go on, and releases and history stay. 'hapax promote' brings it back."
    })
public final class RetireVerb extends ServerVerb {
  @Parameters(paramLabel = "FLOW", description = "Name of the flow.")
  String flow = "";

  @Option(
      names = MissingOption.NAME,
      description = "Also if other live flows start this one; they become warnings.")
  boolean allowMissing;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode state =
        server
            .ask(
                ServerRequest.delete("/api/flows/{}/live", flow)
                    .query("allowMissing", allowMissing ? "true" : null))
            .json();
    String runs =
        new Item(state)
            .items("runs").stream().map(RetireVerb::runs).collect(Collectors.joining(", "));
    return VerbAnswer.of(
        state,
        "'%s' is retired; %s%n%s"
            .formatted(
                flow,
                runs.isEmpty() ? "no run is under way" : runs + " go on",
                FindingLines.in(state, call.paint())));
  }

  private static String runs(Item runs) {
    return "%s%s on release %s"
        .formatted(
            runs.is("atLeast") ? "at least " : "",
            Words.count(runs.json().path("open").asInt(0), "run"),
            runs.text("release"));
  }
}
