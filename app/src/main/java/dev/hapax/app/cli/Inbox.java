package dev.hapax.app.cli;

import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "inbox",
    description = "Lists the events that came in and what became of each; tries one again.")
final class Inbox extends InboxList {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("retry", Retry::new));
  }

  @Command(name = "list", description = "Lists events, newest first.")
  static final class List extends InboxList {}

  @Command(name = "show", aliases = "get", description = "Shows an event.")
  static final class Show extends ServerVerb {
    @Parameters(paramLabel = "EVENT", description = "Id of the event in the inbox.")
    String event = "";

    @Override
    Answer answer(Call call, Server server) {
      JsonNode found = server.ask(Request.get("/api/inbox/{}", event)).json();
      return Answer.of(found, Words.plain(found.toPrettyString()));
    }
  }

  @Command(
      name = "retry",
      description = "Tries an event again that was invalid or rejected. It starts one run at most.")
  static final class Retry extends ServerVerb {
    @Parameters(paramLabel = "EVENT", description = "Id of the event in the inbox.")
    String event = "";

    @Override
    Answer answer(Call call, Server server) {
      JsonNode tried = server.ask(Request.post("/api/inbox/{}/retry", event).json("{}")).json();
      var item = new Item(tried);
      return Answer.of(tried, "%s %s".formatted(item.text("outcome"), item.text("run")).strip());
    }
  }
}
