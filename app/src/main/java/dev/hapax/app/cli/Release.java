package dev.hapax.app.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "release",
    description = {
      "Makes a numbered release of a flow's draft, which never changes again.",
      "New runs still start on the live release, until 'hapax promote' makes another one live."
    })
final class Release extends ServerVerb {
  @Parameters(paramLabel = "FLOW", description = "Name of the flow.")
  String flow = "";

  @Option(names = "--note", paramLabel = "TEXT", description = "What changed, for people.")
  @Nullable String note;

  @Option(names = "--promote", description = "Make it live at once.")
  boolean promote;

  @Override
  Answer answer(Call call, Server server) {
    JsonNode made =
        server
            .ask(
                Request.post("/api/flows/{}/releases", flow)
                    .json(note == null ? Map.of() : Map.of("note", note)))
            .json();
    String number = new Item(made).text("release");
    if (promote) {
      server.ask(Promote.request(flow, Integer.parseInt(number)));
    }
    String text =
        promote
            ? "release %s of '%s' is live".formatted(number, flow)
            : "release %s of '%s' is made; next: hapax promote %s %s"
                .formatted(number, flow, flow, number);
    return Answer.of(made, text).meta("live", promote);
  }
}
