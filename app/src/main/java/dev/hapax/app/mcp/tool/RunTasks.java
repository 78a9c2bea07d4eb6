package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.InnerCalls;
import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Every run is a task, and its id is the run's. So a task outlives every server, and only callers
 * who may read the run may ask about it.
 */
public final class RunTasks implements Tasks {
  private static final int ASK_EVERY_MILLIS = 2_000;

  /** A person takes longer. */
  private static final int ASK_PEOPLE_EVERY_MILLIS = 30_000;

  private static final InnerRequest GET = InnerRequest.to(Method.GET, "/api/runs/{id}");
  private static final InnerRequest CANCEL = InnerRequest.to(Method.POST, "/api/runs/{id}/cancel");
  private static final Set<String> ENDED =
      Set.of("succeeded", "partial", "failed", "compensated", "canceled");

  private final AgentRoutes routes;
  private final boolean cancels;
  private final Clock clock;
  private final Supplier<String> address;

  /**
   * The tasks of a server.
   *
   * @param dangerous the dangerous tools that are on; without {@code cancel_run} no task can be
   *     canceled
   * @param address where people reach this server, without a slash at its end
   */
  public RunTasks(
      AgentRoutes routes, Set<String> dangerous, Clock clock, Supplier<String> address) {
    this.routes = routes;
    this.cancels = dangerous.contains("cancel_run");
    this.clock = clock;
    this.address = address;
  }

  @Override
  public boolean mayAsk(Call call) {
    return call.actor().may(TokenScope.RUNS_READ);
  }

  @Override
  public Map<String, Object> created(Call call, String task) throws InterruptedException {
    JsonNode run = run(call, task);
    var result = state(run, RunNeeds.of(routes, call, run, page(run)));
    result.put("resultType", "task");
    return result;
  }

  @Override
  public Map<String, Object> get(Call call, String task, boolean opensPages)
      throws InterruptedException {
    JsonNode run = run(call, task);
    RunNeeds needs = RunNeeds.of(routes, call, run, page(run));
    var result = state(run, needs);
    if ("completed".equals(result.get("status"))) {
      result.put("result", RunOutcome.of(run, false).json());
    }
    if (opensPages && !needs.isEmpty()) {
      result.put("status", "input_required");
      result.put("inputRequests", needs.requests());
    }
    return result;
  }

  /** A person decides on the page; an answer says only whether the page was opened. */
  @Override
  public void update(Call call, String task) throws InterruptedException {
    var _ = run(call, task);
  }

  private String page(JsonNode run) {
    return address.get() + "/runs/" + run.path("id").asString("");
  }

  private JsonNode run(Call call, String task) throws InterruptedException {
    InnerCalls.Answer answer = routes.ask(call, GET.path("id", task));
    if (answer.status() == 404 || answer.status() == 400) {
      throw new IllegalArgumentException("there is no task '%s'".formatted(shown(task)));
    }
    refuseUnlessFine(answer);
    return answer.body();
  }

  private static void refuseUnlessFine(InnerCalls.Answer answer) {
    if (answer.isFine()) {
      return;
    }
    String detail = answer.body().path("detail").asString("");
    if (answer.status() < 500 && answer.status() != 429) {
      throw new IllegalArgumentException(detail);
    }
    String name = answer.body().path("type").asString("").replaceAll(".*/", "");
    Problem problem = Problem.of(name, answer.status(), detail);
    String retry = answer.headers().get("Retry-After");
    throw retry == null ? problem : problem.header("Retry-After", retry);
  }

  private static String shown(String task) {
    return task.length() <= 64 ? task : task.substring(0, 64) + "…";
  }

  /** A run in review has not ended: a person decides, and then it goes on. */
  private Map<String, Object> state(JsonNode run, RunNeeds needs) {
    String status = run.path("status").asString("");
    var state = new LinkedHashMap<String, Object>();
    state.put("taskId", run.path("id").asString(""));
    state.put(
        "status",
        status.equals("canceled") ? "cancelled" : ENDED.contains(status) ? "completed" : "working");
    state.put("statusMessage", words(status, needs));
    state.put("createdAt", run.path("createdAt").asString(""));
    JsonNode ended = run.path("endedAt");
    state.put("lastUpdatedAt", ended.isString() ? ended.stringValue() : clock.now().toString());
    state.put("ttlMs", null);
    state.put("pollIntervalMs", needs.isEmpty() ? ASK_EVERY_MILLIS : ASK_PEOPLE_EVERY_MILLIS);
    return state;
  }

  private static String words(String status, RunNeeds needs) {
    return needs.isEmpty() ? "The run is %s.".formatted(status) : needs.words(status);
  }

  @Override
  public void cancel(Call call, String task) throws InterruptedException {
    JsonNode run = run(call, task);
    if (ENDED.contains(run.path("status").asString(""))) {
      return;
    }
    if (!cancels) {
      throw new IllegalArgumentException(
          "agents cannot cancel runs on this server: its setting mcp.tools does not have"
              + " cancel_run");
    }
    InnerCalls.Answer answer =
        routes.ask(
            call,
            CANCEL
                .path("id", task)
                .json(JsonNodeFactory.instance.objectNode().put("reason", "canceled over MCP")));
    refuseUnlessFine(answer);
  }
}
