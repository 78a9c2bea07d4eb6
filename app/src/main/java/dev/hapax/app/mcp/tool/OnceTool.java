package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.InnerCalls;
import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.mcp.tool.ToolResult.Outcome;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Carries out one effect without a flow. */
final class OnceTool extends RouteTool {
  /** No name of a flow may be this one, if the flow is a tool. */
  static final String NAME = "once";

  private static final String RESERVED = "hapax.once";

  OnceTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.POST, "/api/once"),
        Kind.ONCE,
        new ToolDefinition(
            NAME,
            "Carry out an effect once",
            "Sends one request through a connection, once per effect name and key. The same call"
                + " again gets the recorded result; if an answer is lost, the guard decides. Repeat"
                + " this call with the same key if you do not know whether it worked; use a new key"
                + " only for a new intent.",
            schema(),
            new ToolHints(false, true, false, true)));
  }

  private static ObjectNode schema() {
    ObjectNode schema =
        ArgumentSchema.of()
            .must(
                "effect",
                "object",
                "`name` in the ledger, `key`, `guard` (keyed, upsert, transaction, none, or"
                    + " {\"lookup\": {…}}), and perhaps `kind` (create, update, notify, additive,"
                    + " read), `externalId`, `version`.")
            .must("connection", "string", "The connection to send through.")
            .may(
                "http",
                "object",
                "The request: `method`, `path`, `query`, `headers`, `body`. Give one of http, db,"
                    + " email, publish.")
            .may("db", "object", "A statement: `sql` and `params`.")
            .may("email", "object", "A mail: `to`, `subject`, `text`.")
            .may("publish", "object", "A message for the outbox: `data`.")
            .may("timeout", "string", "Of one attempt, for example 30s.")
            .may("retry", "object", "`attempts`, `delay`, `within`.")
            .build();
    ObjectNode effect = (ObjectNode) schema.get(ArgumentSchema.PROPERTIES).get("effect");
    ObjectNode members = effect.putObject(ArgumentSchema.PROPERTIES);
    members.putObject("name").put("type", "string");
    members.putObject("key").put("type", "string").put("description", FlowToolSchema.KEY_WORDS);
    effect.putArray(ArgumentSchema.REQUIRED).add("name").add("key");
    return schema;
  }

  @Override
  public boolean isFor(Call caller) {
    return super.isFor(caller)
        && caller.actor().may(TokenScope.CONNECTIONS_USE)
        && caller.mayUse(RESERVED);
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    String inside = call.arguments().path("effect").path("key").asString("");
    if (call.key() != null && !call.key().equals(inside)) {
      throw Problem.invalidInput(
          "the call has two keys: '%s' as effect.key and '%s' beside the arguments. Give one."
              .formatted(inside, call.key()));
    }
    return request.header("Prefer", "wait=" + RunOutcome.WAIT_SECONDS).json(call.arguments());
  }

  @Override
  ToolResult answer(AgentCall call, InnerRequest empty) throws InterruptedException {
    InnerCalls.Answer answer = routes.ask(call.caller(), asked(call, empty));
    if (!answer.isFine()) {
      String problem = answer.body().path("type").asString("");
      return ToolAnswers.refused(
          answer, problem.endsWith("key-reused") ? "Nothing was sent by this call." : "");
    }
    ObjectNode run = ((ObjectNode) answer.body()).deepCopy();
    run.set("id", run.path("run"));
    run.set("status", run.path("state"));
    run.put("flow", RESERVED);
    run.set("key", run.path("effect").path("key"));
    ToolResult told =
        RunOutcome.of(run, "true".equals(answer.headers().get("Idempotent-Replayed")));
    return told.outcome() == Outcome.FAILED ? again(told, run) : told;
  }

  /** Whether the same call tries again depends on more than the words about runs say. */
  private static ToolResult again(ToolResult told, JsonNode run) {
    return ToolResult.of(OnceWords.of(run), told.structured(), true, Outcome.FAILED);
  }
}
