package dev.hapax.app.cli.dev;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.VerbCall;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "faults", description = "Lists the faults that are still to come.")
final class DevFaultsVerb extends DevServerVerb {
  @Option(names = "--clear", description = "Forget them.")
  boolean clear;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    if (clear) {
      JsonNode cleared = server.ask(ServerRequest.post("/dev/faults/clear").json("{}")).json();
      return VerbAnswer.of(
          cleared, "forgot " + Words.count(cleared.path("forgotten").asLong(0), "fault"));
    }
    JsonNode answer = server.ask(ServerRequest.get("/dev/faults")).json();
    var table = new Table("TARGET", "FAULT", "TIMES", "DELAY", "STATUS");
    for (Item fault : new Item(answer).items("faults")) {
      table.row(
          fault.text("target"),
          fault.text("kind"),
          fault.text("times"),
          fault.text("delay"),
          fault.text("status"));
    }
    return VerbAnswer.of(answer, table.text(call.paint(), "none"));
  }
}
