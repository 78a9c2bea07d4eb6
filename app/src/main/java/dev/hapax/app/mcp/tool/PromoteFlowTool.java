package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import tools.jackson.databind.node.JsonNodeFactory;

/** Make a release live. */
final class PromoteFlowTool extends RouteTool {
  PromoteFlowTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.PUT, "/api/flows/{flow}/live"),
        Kind.DANGEROUS,
        new ToolDefinition(
            "promote_flow",
            "Make a release live",
            "Makes a release of a flow live, so that new runs start on it.",
            ArgumentSchema.of()
                .must("flow", "string", "The name of the flow.")
                .must("release", "integer", "The number of the release.")
                .build(),
            new ToolHints(false, true, true, true)));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request
        .path("flow", call.text("flow"))
        .json(JsonNodeFactory.instance.objectNode().set("release", call.value("release")));
  }
}
