package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.InnerCalls;
import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.flow.Flow;
import dev.hapax.flows.expression.Durations;
import dev.hapax.flows.file.FlowFile;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A live flow that is exposed: a call starts a run, or gets the run that its key has. */
final class FlowTool implements AgentTool {
  private static final InnerRequest START = InnerRequest.to(Method.POST, "/api/flows/{flow}/runs");

  private final AgentRoutes routes;
  private final FlowFile flow;
  private final FlowToolSchema schema;
  private final Function<String, @Nullable FlowFile> others;

  /**
   * The tool of a flow.
   *
   * @param others finds the live files of its child flows
   */
  FlowTool(AgentRoutes routes, FlowFile flow, Function<String, @Nullable FlowFile> others) {
    this.routes = routes;
    this.flow = flow;
    this.schema = FlowToolSchema.of(flow);
    this.others = others;
  }

  /** Models' APIs take no slash; {@code check} refuses a tool with two underscores in its name. */
  static String toolName(String flow) {
    return flow.replace("/", "__");
  }

  static String flowName(String tool) {
    return tool.replace("__", "/");
  }

  @Override
  public ToolDefinition definition() {
    String purpose =
        flow.description() == null
            ? "Runs the flow '%s'.".formatted(flow.name())
            : flow.description();
    String repeat =
        schema.asksForKey()
            ? " Repeat this call with the same idempotencyKey if you do not know whether it worked;"
                + " use a new value only for a new intent."
            : " A call with the same arguments is the same run, so it is safe to repeat if you do"
                + " not know whether it worked.";
    return new ToolDefinition(
        toolName(flow.name()),
        flow.name(),
        purpose
            + repeat
            + forgotten()
            + " If it takes longer than "
            + RunOutcome.WAIT_SECONDS
            + " s, the answer names the run to ask about.",
        schema.json(),
        FlowHints.of(flow, others));
  }

  private String forgotten() {
    return flow.afterRetention() == Flow.AfterRetention.NEW
        ? " This holds for %s after the run has ended; then the same call does the work again."
            .formatted(Durations.text(flow.retention()))
        : "";
  }

  @Override
  public Kind kind() {
    return Kind.FLOW;
  }

  @Override
  public boolean isFor(Call caller) {
    return caller.actor().may(TokenScope.RUNS_WRITE) && caller.mayUse(flow.name());
  }

  /** A flow that computes its key may have an input of this name, which is something else. */
  @Override
  public boolean takesKey() {
    return schema.asksForKey() || !schema.keyIsInput();
  }

  @Override
  public ToolResult call(AgentCall call) throws InterruptedException {
    String key = key(call);
    InnerRequest request =
        START
            .path("flow", flow.name())
            .header("Prefer", "wait=" + RunOutcome.WAIT_SECONDS)
            .header("Idempotency-Key", key)
            .json(schema.inputOf(call.arguments()));
    InnerCalls.Answer answer = routes.ask(call.caller(), request);
    if (answer.isFine()) {
      return RunOutcome.of(
          answer.body(), "true".equals(answer.headers().get("Idempotent-Replayed")));
    }
    return ToolAnswers.refused(answer, advice(answer.body()));
  }

  private @Nullable String key(AgentCall call) {
    if (call.key() == null && schema.asksForKey()) {
      throw Problem.invalidInput(
          "argument 'idempotencyKey': expected a text, got nothing. " + FlowToolSchema.KEY_WORDS);
    }
    return call.key();
  }

  /** What to do after a refusal. */
  private static String advice(JsonNode problem) {
    if (!problem.path("type").asString("").endsWith("key-reused")) {
      return "";
    }
    JsonNode first = problem.path("run");
    return "The first run is %s (%s). If you mean the same thing, call again with the arguments of the first call to get its result. Only if you mean another thing, %s."
        .formatted(
            first.path("id").asString(""), first.path("status").asString(""), "use another key");
  }
}
