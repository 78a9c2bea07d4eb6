package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** List runs. */
final class ListRunsTool extends RouteTool {
  ListRunsTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/runs"),
        Kind.READ,
        new ToolDefinition(
            "list_runs",
            "List runs",
            "Lists runs, newest first, with previews of their values.",
            ArgumentSchema.of()
                .may("flow", "string", "Only runs of this flow.")
                .may(
                    "status",
                    "string",
                    "Only runs in this status, for example failed, review, waiting, running,"
                        + " succeeded.")
                .may("key", "string", "Only the run with this key; needs flow.")
                .may("since", "string", "Only runs accepted since this time (RFC 3339).")
                .may("draft", "boolean", "With true, among the runs of drafts.")
                .paged()
                .build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return paged(call, request)
        .query("flow", call.textOrNull("flow"))
        .query("status", call.textOrNull("status"))
        .query("key", call.textOrNull("key"))
        .query("since", call.textOrNull("since"))
        .query("draft", call.textOrNull("draft"));
  }
}
