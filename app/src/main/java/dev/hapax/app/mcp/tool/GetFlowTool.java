package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** Get a flow. */
final class GetFlowTool extends RouteTool {
  GetFlowTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/flows/{flow}"),
        Kind.READ,
        new ToolDefinition(
            "get_flow",
            "Get a flow",
            "Shows a flow: its live release, its draft, what starts it.",
            ArgumentSchema.of().must("flow", "string", "The name of the flow.").read().build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path("flow", call.text("flow"));
  }
}
