package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import tools.jackson.databind.node.JsonNodeFactory;

/** Cancel a run. */
final class CancelRunTool extends RouteTool {
  CancelRunTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.POST, "/api/runs/{id}/cancel"),
        Kind.DANGEROUS,
        new ToolDefinition(
            "cancel_run",
            "Cancel a run",
            "Ends a run early. Effects that are done stay done unless compensate is true.",
            ArgumentSchema.of()
                .must("run", "string", "The id of the run, for example `r-7x7v…`.")
                .must("reason", "string", "Why; it stays in the history.")
                .may("compensate", "boolean", "With true, also undoes what the run has done.")
                .build(),
            new ToolHints(false, true, true, true)));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request
        .path("id", call.text("run"))
        .json(
            JsonNodeFactory.instance
                .objectNode()
                .put("reason", call.text("reason"))
                .put("compensate", call.flag("compensate")));
  }
}
