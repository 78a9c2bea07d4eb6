package dev.hapax.app.cli.dev;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "clock",
    description = {
      "Shows the server's clock, or moves it forward.",
      "Waits that are over then end, and schedules start what was due meanwhile, as after a pause"
          + " of the server."
    })
final class DevClockVerb extends DevServerVerb {
  @Parameters(
      paramLabel = "+TIME",
      arity = "0..1",
      description = "For example +3d or +90m. The clock never goes back.")
  @Nullable String by;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode clock =
        server
            .ask(
                by == null
                    ? ServerRequest.get("/dev/clock")
                    : ServerRequest.post("/dev/clock").json(Map.of("by", length(by))))
            .json();
    return VerbAnswer.of(
        clock,
        "%s, %s ahead".formatted(new Item(clock).time("now"), new Item(clock).text("ahead")));
  }

  private static String length(String by) {
    if (!by.startsWith("+")) {
      throw Refusal.usage(
              "expected how far to move the clock, for example +3d, got '%s'".formatted(by))
          .hint("the clock only goes forward: 'hapax dev DIR --fresh' begins again");
    }
    return by.substring(1);
  }
}
