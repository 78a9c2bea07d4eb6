package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** Check a draft. */
final class CheckDraftTool extends RouteTool {
  CheckDraftTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/flows/{flow}/draft/findings"),
        Kind.READ,
        new ToolDefinition(
            "check_draft",
            "Check a draft",
            "Checks a draft and lists its problems, each with a fix. Errors must be gone before a"
                + " release.",
            ArgumentSchema.of().must("flow", "string", "The name of the flow.").read().build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path("flow", call.text("flow"));
  }
}
