package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "alerts",
    description = "Lists the channels of alerts and the newest deliveries; sends a test.")
public final class AlertsVerb extends ServerVerb {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(new VerbEntry("test", Send::new));
  }

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode found = server.ask(ServerRequest.get("/api/alerts")).json();
    var channels = new Table("CHANNEL", "TO", "ALERTS", "NAMED BY");
    for (JsonNode each : found.path("channels")) {
      var channel = new Item(each);
      String flow = channel.text("flow");
      channels.row(
          channel.text("channel"),
          String.join(", ", channel.words("to")),
          String.join(", ", channel.words("alerts")),
          flow.isEmpty() ? "the server, or a deployment" : "flow " + flow);
    }
    var deliveries = new Table("AT", "CHANNEL", "TYPE", "STATE", "RUN", "PROBLEM");
    for (JsonNode each : found.path("deliveries")) {
      var delivery = new Item(each);
      deliveries.row(
          delivery.time("at"),
          delivery.text("channel"),
          delivery.text("type"),
          delivery.text("state"),
          delivery.text("run"),
          delivery.text("problem"));
    }
    return VerbAnswer.of(
        found,
        channels.text(call.paint(), "no channels")
            + System.lineSeparator()
            + deliveries.text(call.paint(), "no deliveries"));
  }

  @Command(
      name = "test",
      description = {
        "Sends a test alert to a channel, or to all, and reports what happened.",
        "Exit code 0: all were delivered; 1: at least one was not."
      })
  static final class Send extends ServerVerb {
    @Parameters(
        arity = "0..1",
        paramLabel = "CHANNEL",
        description = "Name of the channel, for example email/smtp; without it, all.")
    @Nullable String channel;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode found =
          server
              .ask(
                  ServerRequest.post("/api/alerts/test")
                      .json(channel == null ? Map.of() : Map.of("channel", channel)))
              .json();
      var table = new Table("CHANNEL", "TO", "DELIVERED", "RUN", "PROBLEM");
      boolean isComplete = true;
      for (JsonNode each : found.path("items")) {
        var tested = new Item(each);
        isComplete &= each.path("delivered").asBoolean(false);
        table.row(
            tested.text("channel"),
            String.join(", ", tested.words("to")),
            tested.text("delivered"),
            tested.text("run"),
            tested.text("problem"));
      }
      VerbAnswer answer = VerbAnswer.of(found, table.text(call.paint(), "no channels"));
      return isComplete
          ? answer
          : answer.refused(
              Refusal.of(Exit.RUN_FAILED, "not-delivered", "a test alert was not delivered"));
    }
  }
}
