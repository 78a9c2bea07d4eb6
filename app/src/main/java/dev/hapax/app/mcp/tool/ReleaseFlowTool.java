package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import tools.jackson.databind.node.JsonNodeFactory;

/** Release a draft. */
final class ReleaseFlowTool extends RouteTool {
  ReleaseFlowTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.POST, "/api/flows/{flow}/releases"),
        Kind.DANGEROUS,
        new ToolDefinition(
            "release_flow",
            "Release a draft",
            "Makes a release of the draft. Runs start on it only when it is live: see"
                + " promote_flow.",
            ArgumentSchema.of()
                .must("flow", "string", "The name of the flow.")
                .may("note", "string", "What has changed, for people.")
                .build(),
            new ToolHints(false, false, true, false)));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    var body = JsonNodeFactory.instance.objectNode();
    String note = call.textOrNull("note");
    if (note != null) {
      body.put("note", note);
    }
    return request.path("flow", call.text("flow")).json(body);
  }
}
