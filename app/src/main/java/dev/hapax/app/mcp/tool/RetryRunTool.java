package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** Retry a run. */
final class RetryRunTool extends RouteTool {
  RetryRunTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.POST, "/api/runs/{id}/retry"),
        Kind.DANGEROUS,
        new ToolDefinition(
            "retry_run",
            "Retry a run",
            "Continues a failed run. Work that is finished is not repeated.",
            ArgumentSchema.of()
                .must("run", "string", "The id of the run, for example `r-7x7v…`.")
                .build(),
            new ToolHints(false, true, true, true)));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path("id", call.text("run"));
  }
}
