package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "inbox",
    description = "Lists received events and their outcomes; processes an event again.")
public final class InboxVerb extends InboxList {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("retry", Retry::new),
        new VerbEntry("replay", InboxReplayVerb::new));
  }

  @Command(name = "list", description = "Lists events, newest first.")
  static final class List extends InboxList {}

  @Command(name = "show", aliases = "get", description = "Shows an event.")
  static final class Show extends ServerVerb {
    @Parameters(paramLabel = "EVENT", description = "Id of the event in the inbox.")
    String event = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode found = server.ask(ServerRequest.get("/api/inbox/{}", event)).json();
      return VerbAnswer.of(found, Words.plain(found.toPrettyString()));
    }
  }

  @Command(
      name = "retry",
      description =
          "Processes an event again that is invalid, rejected or in review. It starts at most one run.")
  static final class Retry extends ServerVerb {
    @Parameters(paramLabel = "EVENT", description = "Id of the event in the inbox.")
    String event = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode tried =
          server.ask(ServerRequest.post("/api/inbox/{}/retry", event).json("{}")).json();
      var item = new Item(tried);
      return VerbAnswer.of(
          tried, "%s %s".formatted(item.text("outcome"), item.text("run")).strip());
    }
  }
}
