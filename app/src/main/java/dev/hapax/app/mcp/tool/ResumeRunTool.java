package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import tools.jackson.databind.node.JsonNodeFactory;

/** Resume a quarantined run. */
final class ResumeRunTool extends RouteTool {
  ResumeRunTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.POST, "/api/runs/{id}/resume"),
        Kind.DANGEROUS,
        new ToolDefinition(
            "resume_run",
            "Resume a quarantined run",
            "Lets a run go on that was kept out of memory, because the server ended twice while it"
                + " ran.",
            ArgumentSchema.of()
                .must("run", "string", "The id of the run, for example `r-7x7v…`.")
                .must("reason", "string", "Why; it stays in the history.")
                .build(),
            new ToolHints(false, true, true, true)));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request
        .path("id", call.text("run"))
        .json(JsonNodeFactory.instance.objectNode().put("reason", call.text("reason")));
  }
}
