package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerCalls;
import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** Says what became of a run; short enough to be asked often. */
final class RunStatusTool extends RouteTool {
  RunStatusTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/runs/{id}"),
        Kind.READ,
        new ToolDefinition(
            "run_status",
            "Ask about a run",
            "Says whether a run is still under way, and gives its result when it has ended. Ask"
                + " again after a few seconds; asking changes nothing.",
            ArgumentSchema.of().must("run", "string", "The id of the run.").build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path("id", call.text("run"));
  }

  @Override
  ToolResult answer(AgentCall call, InnerRequest empty) throws InterruptedException {
    InnerCalls.Answer answer = routes.ask(call.caller(), asked(call, empty));
    return answer.isFine() ? RunOutcome.of(answer.body(), true) : ToolAnswers.refused(answer);
  }
}
