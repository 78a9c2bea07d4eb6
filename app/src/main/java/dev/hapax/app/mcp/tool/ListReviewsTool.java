package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** List reviews. */
final class ListReviewsTool extends RouteTool {
  ListReviewsTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/reviews"),
        Kind.READ,
        new ToolDefinition(
            "list_reviews",
            "List reviews",
            "Lists effects whose outcome is unknown and which a person must settle.",
            ArgumentSchema.of().paged().build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return paged(call, request);
  }
}
