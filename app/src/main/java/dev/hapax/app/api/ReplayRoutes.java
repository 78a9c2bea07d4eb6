package dev.hapax.app.api;

import dev.hapax.Hapax;
import dev.hapax.Kv;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.wire.ReplayView;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.ReplayWish;
import dev.hapax.flow.Run;
import dev.hapax.flow.StalePlan;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Replays of runs: a plan first, and then exactly that. A plan is kept for a week. */
public final class ReplayRoutes {
  private static final Duration KEPT = Duration.ofDays(7);
  private static final int MOST_RUNS = 100;
  private static final int PAGE = 200;
  private static final int ID_LETTERS = 20;

  private final Kv plans;
  private final StartableFlows flows;

  /**
   * @param plans the server's own map, which is out of reach of flows
   */
  public ReplayRoutes(Kv plans, StartableFlows flows) {
    this.plans = plans;
    this.flows = flows;
  }

  /** Returns its routes. */
  public List<Route> routes() {
    return List.of(
        Route.post(
                "/api/replays",
                TokenScope.RUNS_WRITE,
                "Plan the replay of runs that have ended, or do what a plan says",
                this::replay)
            .takes(ReplayBody.class)
            .gives(200, ReplayView.class),
        Route.get(
                "/api/replays/{plan}",
                TokenScope.RUNS_READ,
                "Get a plan of a replay, with the next page of its effects",
                this::show)
            .query("after", "The 'next' of the page before.")
            .gives(200, ReplayView.class));
  }

  private record ForceBody(@Nullable String effect, @Nullable String reason) {}

  private record ReplayBody(
      @Nullable List<String> runs,
      @Nullable JsonNode fromStep,
      @Nullable JsonNode release,
      @Nullable JsonNode input,
      @Nullable Map<String, JsonNode> outputs,
      @Nullable List<String> ask,
      @Nullable List<ForceBody> force,
      @Nullable Boolean plan,
      @Nullable String apply,
      @Nullable String reason) {}

  /** A plan as it is kept. */
  private record Kept(List<ReplayPlan> runs) {}

  private RouteAnswer replay(Call call) {
    ReplayBody body = call.json(ReplayBody.class);
    String apply = body.apply();
    if (apply != null) {
      return apply(call, apply, body.reason());
    }
    if (!Boolean.TRUE.equals(body.plan())) {
      throw Problem.invalidInput(
          "plan: expected true to make a plan, or apply with the id of a plan. Nothing is replayed without a plan");
    }
    List<String> ids = body.runs() == null ? List.of() : body.runs();
    if (ids.isEmpty() || ids.size() > MOST_RUNS) {
      throw Problem.invalidInput(
          "runs: expected the ids of 1 to %d runs, got %d".formatted(MOST_RUNS, ids.size()));
    }
    refuseForce(call, body.force() != null && !body.force().isEmpty());
    var made = new ArrayList<ReplayPlan>();
    for (String id : ids.stream().distinct().toList()) {
      Hapax hapax = Space.of(call, id);
      Run run = seen(call, hapax, id);
      made.add(hapax.replays().plan(run.id().toString(), wish(body, run)));
    }
    String plan = keep(call, made);
    return RouteAnswer.ok(page(call, plan, made, 0));
  }

  /** A person who forces an effect decides about it, as one who settles it. */
  private static void refuseForce(Call call, boolean forces) {
    if (forces && !call.actor().may(TokenScope.EFFECTS_SETTLE)) {
      throw Problem.forbidden("force: the token needs the scope that settles effects");
    }
  }

  private static Run seen(Call call, Hapax hapax, String id) {
    Run run = Runs.run(hapax, id);
    if (!call.mayUse(run.flow())) {
      throw Problem.notFound("there is no run '%s'".formatted(id));
    }
    return run;
  }

  private ReplayWish wish(ReplayBody body, Run run) {
    JsonNode from = body.fromStep();
    boolean isText = from != null && from.isString();
    String step = from == null ? null : isText ? from.stringValue() : text(from, "step");
    String item = from == null || isText ? null : text(from, "item");
    if (from != null && step == null) {
      throw Problem.invalidInput("fromStep: expected a step, or {step, item}");
    }
    Integer release = release(body.release(), run);
    return new ReplayWish(
        step,
        item,
        release,
        input(body.input(), run, release),
        texts(body.outputs()),
        body.ask() == null ? List.of() : body.ask(),
        force(body.force()));
  }

  private static @Nullable String text(JsonNode object, String name) {
    JsonNode value = object.get(name);
    return value == null || !value.isString() ? null : value.stringValue();
  }

  private @Nullable Integer release(@Nullable JsonNode wanted, Run run) {
    if (wanted == null) {
      return null;
    }
    if (wanted.isIntegralNumber() && wanted.canConvertToInt()) {
      return wanted.intValue();
    }
    Startable live =
        wanted.isString() && wanted.stringValue().equals("live")
            ? flows.find(run.tenant(), run.flow())
            : null;
    if (live == null) {
      throw Problem.invalidInput("release: expected a number, or 'live' for the live release");
    }
    return live.flow().release();
  }

  private @Nullable String input(@Nullable JsonNode input, Run run, @Nullable Integer release) {
    if (input == null) {
      return null;
    }
    int on = release == null ? run.release() : release;
    Startable flow = flows.find(run.tenant(), run.flow(), on);
    List<String> problems = flow == null ? List.of() : flow.inputProblems(Call.value(input));
    if (!problems.isEmpty()) {
      throw Problem.invalidInput("the corrected input does not fit the flow")
          .with("problems", problems);
    }
    return Json.write(input);
  }

  private static Map<String, String> texts(@Nullable Map<String, JsonNode> outputs) {
    var texts = new LinkedHashMap<String, String>();
    if (outputs != null) {
      outputs.forEach(
          (step, output) -> texts.put(step, output == null ? "null" : Json.write(output)));
    }
    return texts;
  }

  private static List<ReplayWish.Force> force(@Nullable List<ForceBody> wanted) {
    return wanted == null
        ? List.of()
        : wanted.stream()
            .map(
                one ->
                    new ReplayWish.Force(
                        Runs.needed("force.effect", one.effect()),
                        Runs.needed("force.reason", one.reason())))
            .toList();
  }

  // ---- kept plans

  private String keep(Call call, List<ReplayPlan> made) {
    String digests = String.join(" ", made.stream().map(ReplayPlan::digest).toList());
    String id = Digest.base32(Digest.ofParts(call.actor().tenant(), digests), ID_LETTERS);
    plans.put(name(call, id), new Kept(made), KEPT);
    return id;
  }

  private static String name(Call call, String plan) {
    return "replay-plans/%s/%s".formatted(call.actor().tenant(), plan);
  }

  private Kept kept(Call call, String plan) {
    boolean isId = plan.chars().allMatch(Character::isLetterOrDigit);
    Kept kept = isId ? plans.get(name(call, plan)).value(Kept.class) : null;
    if (kept == null) {
      throw Problem.notFound(
          "there is no plan '%s'. A plan is kept for a week: make a new one".formatted(plan));
    }
    for (ReplayPlan one : kept.runs()) {
      var _ = seen(call, Space.of(call, one.run()), one.run());
    }
    return kept;
  }

  private RouteAnswer show(Call call) {
    call.allowQuery("after");
    String plan = call.path("plan");
    return RouteAnswer.ok(page(call, plan, kept(call, plan).runs(), after(call.query("after"))));
  }

  /** Requests are shown only to those who may see effects. */
  private static ReplayView page(Call call, String plan, List<ReplayPlan> runs, int after) {
    boolean showsRequests = call.actor().may(TokenScope.EFFECTS_READ);
    return ReplayView.planned(plan, runs, after, PAGE, showsRequests);
  }

  private static int after(@Nullable String text) {
    try {
      return text == null ? 0 : Math.max(0, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      throw Problem.invalidInput("after: expected the 'next' of a page, got '%s'".formatted(text));
    }
  }

  private RouteAnswer apply(Call call, String plan, @Nullable String reason) {
    Kept kept = kept(call, plan);
    refuseForce(call, kept.runs().stream().anyMatch(one -> !one.wish().force().isEmpty()));
    var results = new ArrayList<ReplayView.Result>();
    for (ReplayPlan one : kept.runs()) {
      try {
        Space.of(call, one.run()).replays().apply(one, call.actor().name(), reason);
        results.add(new ReplayView.Result(one.run(), "done", null, null));
      } catch (NotPossible e) {
        if (kept.runs().size() == 1) {
          throw e;
        }
        String problem = e instanceof StalePlan ? "stale" : "not-possible";
        results.add(
            new ReplayView.Result(one.run(), "failed", problem, String.valueOf(e.getMessage())));
      }
    }
    return RouteAnswer.ok(ReplayView.applied(plan, kept.runs(), results));
  }
}
