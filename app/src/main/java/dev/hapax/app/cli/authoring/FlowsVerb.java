package dev.hapax.app.cli.authoring;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Sheet;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.ListVerb;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "flows",
    description =
        "Lists flows and their live releases; shows a flow, its releases and their differences.")
public final class FlowsVerb extends FlowList {
  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(
        new VerbEntry("list", List::new),
        new VerbEntry("show", Show::new),
        new VerbEntry("releases", Releases::new),
        new VerbEntry("diff", Diff::new));
  }

  @Command(name = "list", description = "Lists flows, by name.")
  static final class List extends FlowList {}

  @Command(
      name = "show",
      aliases = "get",
      description = "Shows a flow, its live release and its draft.")
  static final class Show extends ServerVerb {
    @Parameters(paramLabel = "FLOW", description = "Name of the flow.")
    String flow = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode found = server.ask(ServerRequest.get("/api/flows/{}", flow)).json();
      var item = new Item(found);
      return VerbAnswer.of(
          found,
          new Sheet()
              .line("description", item.text("description"))
              .line("labels", String.join(", ", item.words("labels")))
              .line("live", item.text("live"))
              .line("newest", item.text("newest"))
              .line("promoted", item.time("promotedAt"))
              .line("by", item.text("promotedBy"))
              .line("retired", item.time("retiredAt"))
              .line("by", item.text("retiredBy"))
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
    protected ServerRequest request() {
      return ServerRequest.get("/api/flows/{}/releases", flow);
    }

    @Override
    protected Table table() {
      return new Table("RELEASE", "CREATED", "BY", "NOTE");
    }

    @Override
    protected void row(Table table, Item release) {
      table.row(
          release.text("release"),
          release.time("createdAt"),
          release.text("author"),
          release.text("note"));
    }
  }

  @Command(
      name = "diff",
      description = "Shows how a release differs from the live one, or from another one.")
  static final class Diff extends ServerVerb {
    @Parameters(index = "0", paramLabel = "FLOW", description = "Name of the flow.")
    String flow = "";

    @Parameters(index = "1", paramLabel = "N", description = "Number of the release.")
    int number;

    @Option(names = "--from", paramLabel = "N", description = "The release to compare with.")
    @Nullable Integer from;

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode diff =
          server
              .ask(
                  ServerRequest.get(
                          "/api/flows/{}/releases/{}/diff", flow, Integer.toString(number))
                      .query("from", from))
              .json();
      String text = diff.path("diff").asString("");
      return VerbAnswer.of(diff, text.isEmpty() ? "no differences" : text);
    }
  }
}
