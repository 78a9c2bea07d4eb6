package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** Get an effect. */
final class GetEffectTool extends RouteTool {
  GetEffectTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/effects/{id}"),
        Kind.READ,
        new ToolDefinition(
            "get_effect",
            "Get an effect",
            "Shows an effect with its request, its result and the evidence.",
            ArgumentSchema.of()
                .must("effect", "string", "The id of the effect, for example `e-easv…`.")
                .read()
                .build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path("id", call.text("effect"));
  }
}
