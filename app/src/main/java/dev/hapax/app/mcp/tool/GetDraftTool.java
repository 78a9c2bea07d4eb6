package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** Get a draft. */
final class GetDraftTool extends RouteTool {
  GetDraftTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/flows/{flow}/draft"),
        Kind.READ,
        new ToolDefinition(
            "get_draft",
            "Get a draft",
            "Shows the file of a draft. A draft is a flow that is not released yet.",
            ArgumentSchema.of().must("flow", "string", "The name of the flow.").build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path("flow", call.text("flow"));
  }
}
