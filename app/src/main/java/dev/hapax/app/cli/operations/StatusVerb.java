package dev.hapax.app.cli.operations;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Paint;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "status",
    description = {
      "Shows whether anything is wrong: what failed, what waits for a person, which destinations do not answer.",
      "It counts runs of the last day, and all that is open."
    })
public final class StatusVerb extends ServerVerb {
  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Counts runs created at this time or later, for example 2026-11-15T10:00:00Z.")
  @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Counts runs created before this time.")
  @Nullable String to;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    JsonNode found =
        server.ask(ServerRequest.get("/api/overview").query("from", from).query("to", to)).json();
    var overview = new Item(found);
    Paint paint = call.paint();
    var text = new StringBuilder();
    List<String> wrong = wrong(overview);
    text.append(
        wrong.isEmpty()
            ? paint.good("Nothing needs attention.")
            : paint.bad("Needs attention: " + String.join(", ", wrong) + "."));
    text.append('\n');
    text.append(numbers(overview).text(paint, ""));
    List<Item> failures = overview.items("failures");
    if (!failures.isEmpty()) {
      text.append(paint.strong("Failed")).append('\n').append(causes(failures).text(paint, ""));
    }
    List<Item> destinations = overview.items("destinations");
    if (!destinations.isEmpty()) {
      text.append(paint.strong("Destinations"))
          .append('\n')
          .append(states(destinations).text(paint, ""));
    }
    VerbAnswer answer = VerbAnswer.of(found, text.toString());
    return overview.is("complete")
        ? answer
        : answer.note("there are more runs than are counted here: choose a shorter span of time");
  }

  /** In the order of importance, as the page of the web UI has it. */
  private static List<String> wrong(Item overview) {
    var wrong = new ArrayList<String>();
    add(wrong, overview.inner("reviews"), "count", "effects in review");
    add(wrong, overview.inner("runs"), "review", "runs in review"); // also without an effect
    add(wrong, overview.inner("runs"), "failed", "failed");
    long open =
        overview.items("destinations").stream()
            .filter(one -> !one.text("breaker").equals("closed"))
            .count();
    if (open > 0) {
      wrong.add(open + " of the destinations stopped");
    }
    return wrong;
  }

  private static void add(List<String> wrong, Item counts, String name, String words) {
    if (!counts.text(name).equals("0")) {
      wrong.add(counts.text(name) + " " + words);
    }
  }

  private static Table numbers(Item overview) {
    Item runs = overview.inner("runs");
    Item stopped = overview.inner("stopped");
    var table = new Table("WHAT", "COUNT", "OLDEST");
    table.row("succeeded", runs.text("succeeded"), "");
    table.row("failed", runs.text("failed"), "");
    table.row("in review", runs.text("review"), "");
    table.row("canceled", runs.text("canceled"), "");
    for (String open : List.of("running", "waiting", "doubts", "reviews", "approvals")) {
      Item count = overview.inner(open);
      table.row(open, count.text("count"), count.time("oldest"));
    }
    for (String door : List.of("start", "webhook", "child", "effect", "answer")) {
      table.row("duplicates stopped: " + door, stopped.text(door), "");
    }
    return table;
  }

  private static Table causes(List<Item> failures) {
    var table = new Table("COUNT", "FLOW", "ERROR");
    for (Item one : failures) {
      table.row(one.text("count"), one.text("flow"), Words.line(one.text("code")));
    }
    return table;
  }

  private static Table states(List<Item> destinations) {
    var table = new Table("NAME", "BREAKER", "UNTIL", "UNDER WAY", "WAITING");
    for (Item one : destinations) {
      table.row(
          one.text("name"),
          one.text("breaker"),
          one.time("until"),
          one.text("underWay"),
          one.text("waiting"));
    }
    return table;
  }
}
