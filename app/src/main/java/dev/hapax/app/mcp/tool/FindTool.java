package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** Find anything. */
final class FindTool extends RouteTool {
  FindTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/find"),
        Kind.READ,
        new ToolDefinition(
            "find",
            "Find anything",
            "Finds a text everywhere: ids, keys, external ids, searchable fields, events, flows.",
            ArgumentSchema.of()
                .must("text", "string", "The text, or its beginning.")
                .paged()
                .build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return paged(call, request).query("q", call.text("text"));
  }
}
