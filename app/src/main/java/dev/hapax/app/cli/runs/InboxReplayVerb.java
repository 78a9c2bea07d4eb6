package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "replay",
    description = {
      "Processes the events of a time again that started nothing, the oldest first.",
      "Events that started a run stay as they are, so the command can be repeated."
    })
final class InboxReplayVerb extends ServerVerb {
  @Option(
      names = "--from",
      paramLabel = "TIME",
      required = true,
      description = "Received at this time or later, in ISO-8601.")
  String from = "";

  @Option(
      names = "--to",
      paramLabel = "TIME",
      required = true,
      description = "Received before this time, in ISO-8601.")
  String to = "";

  @Option(names = "--source", paramLabel = "PATH", description = "Only events from this webhook.")
  @Nullable String source;

  @Option(
      names = "--outcome",
      paramLabel = "OUTCOME",
      description =
          "Only events with this outcome: invalid, rejected or review. Can be given several times. The default is invalid and rejected, and with --dry-run all.")
  List<String> outcomes = new ArrayList<>();

  @Option(names = "--dry-run", description = "Shows what would become of each event.")
  boolean dryRun;

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) {
    var items = new ArrayList<JsonNode>();
    var totals = new TreeMap<String, Integer>();
    String next = null;
    String stopped;
    do {
      var page = new Item(server.ask(request(next)).json());
      page.items("items").forEach(item -> items.add(item.json()));
      page.json()
          .path("totals")
          .properties()
          .forEach(one -> totals.merge(one.getKey(), one.getValue().asInt(), Integer::sum));
      next = page.text("next");
      stopped = page.text("stopped");
    } while (!next.isEmpty() && stopped.isEmpty());
    var data = new LinkedHashMap<String, Object>();
    data.put("dryRun", dryRun);
    data.put("totals", totals);
    data.put("items", items);
    data.put("next", next.isEmpty() ? null : next);
    data.put("stopped", stopped.isEmpty() ? null : stopped);
    return VerbAnswer.of(data, text(call, items, totals, stopped));
  }

  private ServerRequest request(@Nullable String after) {
    var body = new LinkedHashMap<String, Object>();
    body.put("from", from);
    body.put("to", to);
    if (source != null) {
      body.put("source", source);
    }
    if (!outcomes.isEmpty()) {
      body.put("outcomes", outcomes);
    }
    body.put("dryRun", dryRun);
    if (after != null) {
      body.put("after", after);
    }
    return ServerRequest.post("/api/inbox/replay").json(body);
  }

  private String text(
      VerbCall call, List<JsonNode> items, Map<String, Integer> totals, String stopped) {
    var table = new Table("EVENT", "SOURCE", "WAS", dryRun ? "WOULD BE" : "NOW", "RUN", "DETAIL");
    for (JsonNode json : items) {
      var item = new Item(json);
      table.row(
          item.text("id"),
          item.text("source"),
          item.text("was"),
          item.text("outcome"),
          item.text("run"),
          item.text("detail"));
    }
    String sums =
        String.join(
            ", ",
            totals.entrySet().stream()
                .map(total -> "%d %s".formatted(total.getValue(), total.getKey()))
                .toList());
    return table.text(call.paint(), "none")
        + (sums.isEmpty() ? "" : sums + System.lineSeparator())
        + (stopped.isEmpty() ? "" : "stopped: %s%n".formatted(Words.line(stopped)));
  }
}
