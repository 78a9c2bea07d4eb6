package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** List approvals. */
final class ListApprovalsTool extends RouteTool {
  ListApprovalsTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/approvals"),
        Kind.READ,
        new ToolDefinition(
            "list_approvals",
            "List approvals",
            "Lists the questions that runs ask people, newest first. Reading one decides nothing.",
            ArgumentSchema.of()
                .may("state", "string", "open (the default), decided, expired or closed.")
                .paged()
                .build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return paged(call, request).query("state", call.textOrNull("state"));
  }
}
