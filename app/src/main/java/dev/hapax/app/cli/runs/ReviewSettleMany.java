package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.output.Words;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "settle-many",
    description = {
      "Settles the reviews in a file by one decision, each only if it is still as you saw it.",
      "The file is a list that you have read: hapax review list --cause CAUSE --json > FILE"
    })
final class ReviewSettleMany extends ServerVerb {
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The list of reviews as JSON, or - for standard input.")
  String file = "";

  @Parameters(
      index = "1",
      paramLabel = "DECISION",
      description = "happened, not-happened or abandon.")
  String decision = "";

  @Option(
      names = "--compensate",
      description = "With happened: the runs end and undo what they did.")
  boolean compensate;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Reason, recorded in the history.")
  String reason = "";

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
    var body = new LinkedHashMap<String, Object>();
    body.put("decision", decision);
    body.put("reason", reason);
    if (compensate) {
      body.put("compensate", true);
    }
    body.put("items", seen(Inputs.text(file, call.surroundings())));
    JsonNode answer = server.ask(ServerRequest.post("/api/reviews/settle").json(body)).json();
    var table = new Table("EFFECT", "OUTCOME", "STATE", "DETAIL");
    for (JsonNode one : answer.path("items")) {
      var item = new Item(one);
      table.row(
          item.text("effect"),
          item.text("outcome"),
          item.text("state"),
          Words.line(item.text("detail")));
    }
    var refused = answer.path("refused").asInt(0);
    VerbAnswer result = VerbAnswer.of(answer, table.text(call.paint(), "none"));
    return refused == 0
        ? result
        : result.refused(
            Refusal.of(
                    Exit.REFUSED,
                    "not-settled",
                    "%d of %d were not settled and are as they were"
                        .formatted(refused, answer.path("items").size()))
                .hint("read the list again, then decide"));
  }

  private List<Map<String, Object>> seen(String text) {
    JsonNode list;
    try {
      list = Json.tree(text);
    } catch (NotSerializable _) {
      throw Refusal.usage(
          "expected the JSON of 'hapax review list --json' in '%s'".formatted(file));
    }
    JsonNode items = list.path("data").path("items").isArray() ? list.path("data") : list;
    var seen = new ArrayList<Map<String, Object>>();
    for (JsonNode item : items.path("items")) {
      var one = new LinkedHashMap<String, Object>();
      one.put("effect", item.path("id").asString(""));
      one.put("revision", item.path("revision").asInt(0));
      one.put("attempt", item.path("attempts").asInt(-1));
      seen.add(one);
    }
    if (seen.isEmpty()) {
      throw Refusal.usage("'%s' has no reviews".formatted(file))
          .hint("hapax review list --json > FILE");
    }
    return seen;
  }
}
