package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.app.cli.verb.VerbEntry;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "retention",
    description = {
      "Shows what will be deleted when, what is held and why, and what was deleted lately.",
      "A flow says how long its runs are kept: 'retention' in its file."
    })
public final class RetentionVerb extends ServerVerb {
  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "7",
      description = "How far to look ahead and back, 1 to 90 (${DEFAULT-VALUE}).")
  int days;

  @Override
  public Stream<VerbEntry> inner() {
    return Stream.of(new VerbEntry("show", Show::new));
  }

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode found = server.ask(ServerRequest.get("/api/retention").query("days", days)).json();
    var outlook = new Item(found);
    var text = new StringBuilder();
    if (!outlook.text("paused").isEmpty()) {
      text.append("Nothing is deleted now: %s%n".formatted(Words.line(outlook.text("paused"))));
    }
    text.append(call.paint().strong("Will be deleted")).append('\n');
    text.append(groups(outlook, "leaving").text(call.paint(), "nothing\n"));
    text.append(call.paint().strong("Held")).append('\n');
    text.append(held(outlook).text(call.paint(), "nothing\n"));
    text.append(call.paint().strong("Was deleted")).append('\n');
    text.append(groups(outlook, "gone").text(call.paint(), "nothing\n"));
    if (found.has("exports")) {
      text.append(call.paint().strong("Exported before deletion")).append('\n');
      text.append(exports(outlook.inner("exports")).text(call.paint(), "nothing\n"));
    }
    return VerbAnswer.of(found, text.toString());
  }

  private static Table exports(Item exports) {
    var table = new Table("RUNS", "EFFECTS", "EVENTS", "LAST", "PROBLEM");
    return table.row(
        exports.text("runs"),
        exports.text("effects"),
        exports.text("events"),
        exports.time("lastAt"),
        exports.text("problem"));
  }

  private static Table groups(Item outlook, String list) {
    var table = new Table("DAY", "KIND", "NAME", "COUNT");
    for (Item group : outlook.items(list)) {
      table.row(group.text("day"), group.text("kind"), group.text("name"), group.text("count"));
    }
    return table;
  }

  private static Table held(Item outlook) {
    var table = new Table("RUN", "FLOW", "KEY", "BECAUSE");
    for (Item held : outlook.items("held")) {
      table.row(held.text("run"), held.text("flow"), held.text("key"), because(held));
    }
    return table;
  }

  private static String because(Item kept) {
    return String.join(
        "; ", kept.items("because").stream().map(reason -> reason.text("text")).toList());
  }

  @Command(name = "show", description = "Shows until when a run or an effect is kept, and why.")
  static final class Show extends ServerVerb {
    @Parameters(paramLabel = "ID", description = "Id of the run or effect.")
    String id = "";

    @Override
    protected VerbAnswer answer(VerbCall call, ServerClient server) {
      JsonNode found = server.ask(ServerRequest.get("/api/retention/{}", id)).json();
      var kept = new Item(found);
      var table = new Table("REASON", "UNTIL", "TEXT");
      for (Item reason : kept.items("because")) {
        table.row(reason.text("code"), reason.time("until"), reason.text("text"));
      }
      String until = kept.time("until").isEmpty() ? "something else has ended" : kept.time("until");
      return VerbAnswer.of(
          found,
          "%s is kept until %s%n".formatted(kept.text("id"), until)
              + table.text(call.paint(), "nothing keeps it"));
    }
  }
}
