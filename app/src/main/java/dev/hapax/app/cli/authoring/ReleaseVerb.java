package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.FindingLines;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "release",
    description = {
      "Creates a numbered release from a flow's draft. A release never changes.",
      "New runs start on the live release until 'hapax promote' makes another one live."
    })
public final class ReleaseVerb extends ServerVerb {
  @Parameters(paramLabel = "FLOW", description = "Name of the flow.")
  String flow = "";

  @Option(names = "--note", paramLabel = "TEXT", description = "A note for people: what changed.")
  @Nullable String note;

  @Option(names = "--promote", description = "Make the release live immediately.")
  boolean promote;

  @Option(names = MissingOption.NAME, description = MissingOption.MEANING)
  boolean allowMissing;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode made =
        server
            .ask(
                ServerRequest.post("/api/flows/{}/releases", flow)
                    .json(
                        MissingOption.in(
                            note == null ? Map.of() : Map.of("note", note), allowMissing)))
            .json();
    String number = new Item(made).text("release");
    if (promote) {
      server.ask(PromoteVerb.request(flow, Integer.parseInt(number), allowMissing));
    }
    String text =
        promote
            ? "release %s of '%s' is live%n".formatted(number, flow)
            : "created release %s of '%s'; next: hapax promote %s %s%n"
                .formatted(number, flow, flow, number);
    return VerbAnswer.of(made, text + FindingLines.in(made, call.paint())).meta("live", promote);
  }
}
