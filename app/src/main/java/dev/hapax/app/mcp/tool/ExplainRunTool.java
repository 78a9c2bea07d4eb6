package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerCalls;
import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Explains a run from all that is known about it: what happened, and what is safe to do. */
final class ExplainRunTool extends RouteTool {
  private static final String ID = "id";

  ExplainRunTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/runs/{id}"),
        Kind.READ,
        new ToolDefinition(
            "explain_run",
            "Explain a run",
            "Explains what happened in a run and what is safe to do next: its state, what it waits"
                + " for, its effects outside, and the stopped duplicates.",
            ArgumentSchema.of().must("run", "string", "The id of the run.").read().build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path(ID, call.text("run"));
  }

  @Override
  ToolResult answer(AgentCall call, InnerRequest empty) throws InterruptedException {
    InnerCalls.Answer run = routes.ask(call.caller(), asked(call, empty));
    if (!run.isFine()) {
      return ToolAnswers.refused(run);
    }
    ToolResult state = RunOutcome.of(run.body(), true);
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.set("meaning", JsonNodeFactory.instance.stringNode(words(state)));
    JsonNode summary = state.structured();
    data.set("state", summary == null ? run.body() : summary);
    add(data, "waits", call, ofRun("/api/runs/{id}/waits", call));
    add(
        data,
        "effects",
        call,
        InnerRequest.to(Method.GET, "/api/effects").query("run", call.text("run")));
    add(data, "duplicates", call, ofRun("/api/runs/{id}/duplicates", call));
    return ToolAnswers.read(call, new InnerCalls.Answer(200, data, run.headers()));
  }

  private static String words(ToolResult state) {
    return String.valueOf(state.content().getFirst().get("text"));
  }

  private static InnerRequest ofRun(String path, AgentCall call) {
    return InnerRequest.to(Method.GET, path).path(ID, call.text("run"));
  }

  /** A part that this token may not see is left out. */
  private void add(ObjectNode data, String name, AgentCall call, InnerRequest request)
      throws InterruptedException {
    InnerCalls.Answer answer = routes.ask(call.caller(), request);
    if (answer.isFine()) {
      data.set(name, answer.body().path("items"));
    } else {
      data.put(name, "not shown: " + answer.body().path("detail").asString(""));
    }
  }
}
