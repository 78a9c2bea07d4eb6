package dev.hapax.app.cli.bulk;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Item;
import dev.hapax.app.cli.output.Refusal;
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
import picocli.CommandLine.Mixin;
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
      "  hapax replay r-7x7v… --from invoice                    make a plan for a run",
      "  hapax replay --flow order --status failed --error timeout    for all that failed so",
      "  hapax replay --show j-1zx4 --decision send             read a plan",
      "  hapax replay --apply j-1zx4 --rate 50                  carry it out"
    })
public final class ReplayVerb extends ServerVerb {
  private static final int AT_ONCE = 100;
  private static final int SHOWN_RESULTS = 200;

  @Parameters(
      paramLabel = "RUN",
      arity = "0..*",
      description = "Ids of the runs; without them, the options select.")
  List<String> runs = new ArrayList<>();

  @Mixin RunSelection selection = new RunSelection();
  @Mixin ErrorSelection failed = new ErrorSelection();
  @Mixin TimeSelection time = new TimeSelection();

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "The most runs in a second, 1 to 10000; 100 unless given.")
  @Nullable Integer rate;

  @Option(names = "--show", paramLabel = "PLAN", description = "Show the plan with this id.")
  @Nullable String show;

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      description = "With --show: continue after a page, with its 'next'.")
  @Nullable String after;

  @Option(
      names = "--decision",
      paramLabel = "DECISION",
      description = "With --show: only effects with this decision.")
  @Nullable String decision;

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
  protected VerbAnswer answer(VerbCall call, ServerClient server)
      throws IOException, InterruptedException {
    if (apply != null) {
      return applied(call, server, apply);
    }
    JsonNode planned = show != null ? shown(server, show) : made(call, server);
    return VerbAnswer.of(planned, ReplayText.plan(new Item(planned), call.paint()));
  }

  private JsonNode shown(ServerClient server, String plan) {
    return server
        .ask(
            ServerRequest.get("/api/replays/{}", plan)
                .query("decision", decision)
                .query("after", after))
        .json();
  }

  /** A plan of many runs takes a while. */
  private JsonNode made(VerbCall call, ServerClient server)
      throws IOException, InterruptedException {
    var body = new LinkedHashMap<String, Object>();
    body.put("plan", true);
    Map<String, Object> filter = filter();
    if (!runs.isEmpty() && !filter.isEmpty()) {
      throw Refusal.usage("name runs, or select them by options; not both");
    }
    if (runs.isEmpty() && filter.isEmpty()) {
      throw Refusal.usage("name a run, or select runs by options such as --flow and --status");
    }
    body.put(runs.isEmpty() ? "filter" : "runs", runs.isEmpty() ? filter : runs);
    BulkAct.put(body, "rate", rate);
    wish(body, call);
    Item begun = new Item(server.ask(ServerRequest.post("/api/replays").json(body)).json());
    return begun.text("state").equals("planning")
        ? Watch.until(
                "planning",
                () -> server.ask(ServerRequest.get("/api/replays/{}", begun.text("plan"))))
            .json()
        : begun.json();
  }

  private Map<String, Object> filter() {
    var filter = new LinkedHashMap<String, Object>();
    time.select(filter);
    selection.select(filter);
    failed.select(filter);
    return filter;
  }

  /** Waits for the results of a few runs; those of many are read with 'hapax jobs'. */
  private VerbAnswer applied(VerbCall call, ServerClient server, String plan)
      throws InterruptedException {
    var body = new LinkedHashMap<String, Object>();
    body.put("apply", plan);
    BulkAct.put(body, "rate", rate);
    BulkAct.put(body, "reason", reason);
    Item begun = new Item(server.ask(ServerRequest.post("/api/replays").json(body)).json());
    String job = begun.text("id");
    if (begun.json().path("totals").path("items").asLong() > AT_ONCE) {
      return VerbAnswer.of(begun.json(), JobText.sheet(begun, call.paint()))
          .note("hapax jobs show %s, hapax jobs results %s --result skipped".formatted(job, job));
    }
    Item ended =
        Watch.until(
            "running",
            () -> server.ask(ServerRequest.get("/api/jobs/{}", job).query("limit", SHOWN_RESULTS)));
    return VerbAnswer.of(
        ended.json(),
        JobText.results(ended, call.paint()) + "\n" + JobText.sheet(ended, call.paint()));
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
}
