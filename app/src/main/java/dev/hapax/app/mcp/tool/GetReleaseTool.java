package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** Get a release. */
final class GetReleaseTool extends RouteTool {
  GetReleaseTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/flows/{flow}/releases/{release}"),
        Kind.READ,
        new ToolDefinition(
            "get_release",
            "Get a release",
            "Shows a release of a flow with its file.",
            ArgumentSchema.of()
                .must("flow", "string", "The name of the flow.")
                .must("release", "integer", "The number of the release.")
                .read()
                .build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path("flow", call.text("flow")).path("release", call.text("release"));
  }
}
