package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** Get a run. */
final class GetRunTool extends RouteTool {
  GetRunTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/runs/{id}"),
        Kind.READ,
        new ToolDefinition(
            "get_run",
            "Get a run",
            "Shows a run with its input, output and error. Large values are previews: ask for a"
                + " part with pointer.",
            ArgumentSchema.of()
                .must("run", "string", "The id of the run, for example `r-7x7v…`.")
                .read()
                .build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path("id", call.text("run"));
  }
}
