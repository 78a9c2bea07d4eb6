package dev.hapax.app.cli;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "flows",
    description =
        "Lists flows and their live releases; shows one, its releases and how they differ.")
final class Flows extends FlowList {
  @Override
  Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("releases", Releases::new),
        new VerbEntry("diff", Diff::new));
  }

  @Command(name = "list", description = "Lists flows, by name.")
  static final class List extends FlowList {}

  @Command(name = "show", aliases = "get", description = "Shows a flow and where it stands.")
  static final class Show extends ServerVerb {
    @Parameters(paramLabel = "FLOW", description = "Name of the flow.")
    String flow = "";

    @Override
    Answer answer(Call call, Server server) {
      JsonNode found = server.ask(Request.get("/api/flows/{}", flow)).json();
      var item = new Item(found);
      return Answer.of(
          found,
          new Sheet()
              .line("description", item.text("description"))
              .line("live", item.text("live"))
              .line("newest", item.text("newest"))
              .line("promoted", item.time("promotedAt"))
              .line("by", item.text("promotedBy"))
              .line("draft", item.inner("draft").time("updatedAt"))
              .line("triggers", item.text("triggers"))
              .text("flow " + item.text("flow"), call.paint()));
    }
  }

  @Command(name = "releases", description = "Lists the releases of a flow, newest first.")
  static final class Releases extends ListVerb {
    @Parameters(paramLabel = "FLOW", description = "Name of the flow.")
    String flow = "";

    @Override
    Request request() {
      return Request.get("/api/flows/{}/releases", flow);
    }

    @Override
    Table table() {
      return new Table("RELEASE", "CREATED", "BY", "NOTE");
    }

    @Override
    void row(Table table, Item release) {
      table.row(
          release.text("release"),
          release.time("createdAt"),
          release.text("author"),
          release.text("note"));
    }
  }

  @Command(
      name = "diff",
      description = "Tells how a release differs from the live one, or from another.")
  static final class Diff extends ServerVerb {
    @Parameters(index = "0", paramLabel = "FLOW", description = "Name of the flow.")
    String flow = "";

    @Parameters(index = "1", paramLabel = "N", description = "Number of the release.")
    int number;

    @Option(names = "--from", paramLabel = "N", description = "Compared with this one.")
    @Nullable Integer from;

    @Override
    Answer answer(Call call, Server server) {
      JsonNode diff =
          server
              .ask(
                  Request.get("/api/flows/{}/releases/{}/diff", flow, Integer.toString(number))
                      .query("from", from))
              .json();
      String text = diff.path("diff").asString("");
      return Answer.of(diff, text.isEmpty() ? "they are the same" : text);
    }
  }
}
