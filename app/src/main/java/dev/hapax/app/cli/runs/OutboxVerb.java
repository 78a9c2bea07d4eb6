package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "outbox",
    description = "Lists published messages and dead letters; delivers a message again.")
public final class OutboxVerb extends OutboxList {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("redeliver", Redeliver::new));
  }

  @Command(
      name = "list",
      description = {
        "Lists messages, newest first, and why they have not arrived.",
        "Dead letters: hapax outbox list --status dead"
      })
  static final class List extends OutboxList {}

  @Command(
      name = "show",
      aliases = "get",
      description = "Shows a message and the attempts to deliver it.")
  static final class Show extends ServerVerb {
    @Parameters(
        paramLabel = "MESSAGE",
        description = "Id of the message, or of the run that delivers it.")
    String message = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      return shown(server.ask(ServerRequest.get("/api/outbox/{}", message)).json(), call.paint());
    }
  }

  @Command(
      name = "redeliver",
      description = {
        "Delivers a message again, under the same id: its receiver recognizes a repeat by it.",
        "A message that is under way is left alone."
      })
  static final class Redeliver extends ServerVerb {
    @Parameters(
        paramLabel = "MESSAGE",
        description = "Id of the message, or of the run that delivers it.")
    String message = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      return shown(
          server.ask(ServerRequest.post("/api/outbox/{}/redeliver", message).json("{}")).json(),
          call.paint());
    }
  }

  private static VerbAnswer shown(JsonNode found, Paint paint) {
    var message = new Item(found);
    var text =
        new StringBuilder(
            new Sheet()
                .line("destination", message.text("destination"))
                .line("type", message.text("type"))
                .line("state", message.text("state"))
                .line("published", message.time("publishedAt"))
                .line("run", message.text("run"))
                .line("problem", message.text("problem"))
                .line("data", message.text("data"))
                .text("message " + message.text("id"), paint));
    message
        .items("attempts")
        .forEach(entry -> text.append(RunText.line(entry, paint)).append('\n'));
    return VerbAnswer.of(found, text.toString());
  }
}
