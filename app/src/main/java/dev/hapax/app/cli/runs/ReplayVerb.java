package dev.hapax.app.cli.runs;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Table;
import dev.hapax.app.cli.output.VerbAnswer;
import dev.hapax.app.cli.verb.Inputs;
import dev.hapax.app.cli.verb.ServerVerb;
import dev.hapax.app.cli.verb.VerbCall;
import dev.hapax.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "replay",
    description = {
      "Plans the replay of runs that have ended, from a step on, and carries a plan out.",
      "A plan says for each effect what would happen: keep, reuse, send, doubt or changed.",
      "Nothing is sent that the plan does not have."
    },
    footer = {
      "",
      "Examples:",
      "  hapax replay 3f… --from invoice        make a plan",
      "  hapax replay --apply k2xv…             carry it out"
    })
public final class ReplayVerb extends ServerVerb {
  @Parameters(paramLabel = "RUN", arity = "0..*", description = "Ids of the runs.")
  List<String> runs = new ArrayList<>();

  @Option(
      names = "--plan",
      description = "Only make a plan; this is what happens without --apply, too.")
  boolean plan;

  @Option(names = "--apply", paramLabel = "PLAN", description = "Carry out the plan with this id.")
  @Nullable String apply;

  @Option(
      names = "--from",
      paramLabel = "STEP",
      description = "Do everything again from this step on; without it, from the beginning.")
  @Nullable String from;

  @Option(names = "--item", paramLabel = "KEY", description = "Item of the loop around the step.")
  @Nullable String item;

  @Option(
      names = "--release",
      paramLabel = "N",
      description = "Go on with this release, or with 'live'.")
  @Nullable String release;

  @Option(
      names = "--input",
      paramLabel = "JSON",
      description = "A corrected input with the same key: text, @FILE, or - for standard input.")
  @Nullable String input;

  @Option(
      names = "--output",
      paramLabel = "STEP=JSON",
      description = "A corrected output of a step; can be given several times.")
  Map<String, String> outputs = new LinkedHashMap<>();

  @Option(
      names = "--ask",
      paramLabel = "STEP",
      description = "Ask this approval again, or wait again; can be given several times.")
  List<String> ask = new ArrayList<>();

  @Option(
      names = "--force",
      paramLabel = "EFFECT",
      description = "Send this effect again though it is done; needs --reason.")
  List<String> force = new ArrayList<>();

  @Option(names = "--reason", paramLabel = "TEXT", description = "Reason, recorded in the history.")
  @Nullable String reason;

  /** An effect that is sent again, as the request names it. */
  private record Forced(String effect, String reason) {}

  @Override
  protected VerbAnswer answer(VerbCall call, ServerClient server) throws IOException {
    var body = new LinkedHashMap<String, Object>();
    if (apply != null) {
      body.put("apply", apply);
      if (reason != null) {
        body.put("reason", reason);
      }
      JsonNode done = server.ask(ServerRequest.post("/api/replays").json(body)).json();
      return VerbAnswer.of(done, applied(done, call));
    }
    body.put("plan", true);
    body.put("runs", runs);
    wish(body, call);
    JsonNode planned = server.ask(ServerRequest.post("/api/replays").json(body)).json();
    return VerbAnswer.of(planned, planned(planned, call));
  }

  private void wish(Map<String, Object> body, VerbCall call) throws IOException {
    if (from != null) {
      var step = new LinkedHashMap<String, Object>();
      step.put("step", from);
      if (item != null) {
        step.put("item", item);
      }
      body.put("fromStep", step);
    }
    if (release != null) {
      body.put("release", release.chars().allMatch(Character::isDigit) ? number(release) : release);
    }
    if (input != null) {
      body.put("input", Json.tree(Inputs.json(input, call.surroundings())));
    }
    if (!outputs.isEmpty()) {
      var texts = new LinkedHashMap<String, Object>();
      outputs.forEach((step, json) -> texts.put(step, Json.tree(json)));
      body.put("outputs", texts);
    }
    if (!ask.isEmpty()) {
      body.put("ask", ask);
    }
    if (!force.isEmpty()) {
      String why = reason == null ? "" : reason;
      body.put("force", force.stream().map(effect -> new Forced(effect, why)).toList());
    }
  }

  private static Object number(String text) {
    return text.length() > 9 ? text : Integer.valueOf(text);
  }

  private static String planned(JsonNode plan, VerbCall call) {
    var table = new Table("DECISION", "STEP", "ITEM", "EFFECT", "KEY", "REQUEST", "NOTE");
    for (JsonNode one : plan.path("items")) {
      var line = new Item(one);
      table.row(
          line.text("decision"),
          line.text("step"),
          line.text("item"),
          line.text("name"),
          line.text("key"),
          request(one),
          line.text("note"));
    }
    var text = new StringBuilder(table.text(call.paint(), "no effects"));
    text.append("\n\n").append(totals(plan));
    for (JsonNode run : plan.path("runs")) {
      if (run.has("ends")) {
        text.append(
            "\nThe plan of run %s ends early: %s."
                .formatted(run.path("run").asString(), run.path("ends").asString()));
      }
    }
    String id = plan.path("plan").asString();
    return text.append("\nCarry it out: hapax replay --apply ").append(id).toString();
  }

  private static String request(JsonNode item) {
    if (item.has("dependsOn")) {
      var names = new ArrayList<String>();
      item.path("dependsOn").forEach(step -> names.add(step.asString()));
      return "depends on " + String.join(", ", names);
    }
    JsonNode request = item.path("request");
    String text = request.isNull() || request.isMissingNode() ? "" : request.toString();
    return text.length() > 60 ? text.substring(0, 60) + "…" : text;
  }

  private static String totals(JsonNode plan) {
    JsonNode totals = plan.path("totals");
    return "keep %d, reuse %d, send %d, doubt %d, changed %d"
        .formatted(
            totals.path("keep").asLong(),
            totals.path("reuse").asLong(),
            totals.path("send").asLong(),
            totals.path("doubt").asLong(),
            totals.path("changed").asLong());
  }

  private static String applied(JsonNode done, VerbCall call) {
    var table = new Table("RUN", "STATE", "DETAIL");
    for (JsonNode one : done.path("results")) {
      var line = new Item(one);
      table.row(line.text("run"), line.text("state"), line.text("detail"));
    }
    return table.text(call.paint(), "no runs") + "\n\n" + totals(done);
  }
}
