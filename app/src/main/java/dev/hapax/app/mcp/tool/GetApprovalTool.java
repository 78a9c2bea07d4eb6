package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** Get an approval. */
final class GetApprovalTool extends RouteTool {
  GetApprovalTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/approvals/{id}"),
        Kind.READ,
        new ToolDefinition(
            "get_approval",
            "Get an approval",
            "Shows a question that a run asks people, and its decision. Reading it decides"
                + " nothing.",
            ArgumentSchema.of()
                .must("approval", "string", "The id of the approval.")
                .read()
                .build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path("id", call.text("approval"));
  }
}
