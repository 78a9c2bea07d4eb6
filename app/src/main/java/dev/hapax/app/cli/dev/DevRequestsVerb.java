package dev.hapax.app.cli.dev;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.VerbCall;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

@Command(
    name = "requests",
    description = {
      "Lists what went to the sandbox: the newest requests with their keys, and how often each"
          + " effect was sent and done.",
      "The sandbox removes duplicates only as the real destination would."
    })
final class DevRequestsVerb extends DevServerVerb {
  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode answer = server.ask(ServerRequest.get("/dev/requests")).json();
    var requests = new Table("#", "STEP", "TRY", "REQUEST", "KEY", "STATUS", "FAULT", "DONE");
    for (Item one : new Item(answer).items("requests")) {
      requests.row(
          one.text("number"),
          one.text("flow") + "/" + one.text("step"),
          one.text("attempt"),
          one.text("method") + " " + one.text("url"),
          one.text("key"),
          one.text("status"),
          one.text("fault").equals("none") ? "" : one.text("fault"),
          one.text("duplicate").equals("true") ? "known" : one.text("applied"));
    }
    var effects = new Table("EFFECT", "KEY", "GUARD", "SENT", "DONE");
    for (Item one : new Item(answer).items("effects")) {
      effects.row(
          one.text("effect"),
          one.text("key"),
          one.text("guard"),
          one.text("sent"),
          one.text("applied"));
    }
    return VerbAnswer.of(
        answer,
        requests.text(call.paint(), "nothing went to the sandbox")
            + "\n"
            + effects.text(call.paint(), "no effects"));
  }
}
