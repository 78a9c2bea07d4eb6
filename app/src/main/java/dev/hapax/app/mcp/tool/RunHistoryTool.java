package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** Get the history of a run. */
final class RunHistoryTool extends RouteTool {
  RunHistoryTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/runs/{id}/history"),
        Kind.READ,
        new ToolDefinition(
            "run_history",
            "Get the history of a run",
            "Lists what happened in a run, entry by entry: steps, attempts, doubts and how they"
                + " were settled.",
            ArgumentSchema.of()
                .must("run", "string", "The id of the run, for example `r-7x7v…`.")
                .paged()
                .read()
                .build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return paged(call, request).path("id", call.text("run"));
  }
}
