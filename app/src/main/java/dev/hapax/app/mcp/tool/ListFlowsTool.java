package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** List flows. */
final class ListFlowsTool extends RouteTool {
  ListFlowsTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/flows"),
        Kind.READ,
        new ToolDefinition(
            "list_flows",
            "List flows",
            "Lists the flows by name, with the release that is live.",
            ArgumentSchema.of().paged().build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return paged(call, request);
  }
}
