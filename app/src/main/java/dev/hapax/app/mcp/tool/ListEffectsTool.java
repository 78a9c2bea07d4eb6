package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** List effects. */
final class ListEffectsTool extends RouteTool {
  ListEffectsTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/effects"),
        Kind.READ,
        new ToolDefinition(
            "list_effects",
            "List effects",
            "Lists effects: what runs have changed outside, by name, business key, state or run."
                + " Says whether something was done already.",
            ArgumentSchema.of()
                .may("name", "string", "Only effects with this name.")
                .may("key", "string", "Only the effect with this business key; needs name.")
                .may(
                    "state", "string", "pending, doubt, review, done, failed, undone or abandoned.")
                .may("run", "string", "Only effects of this run.")
                .may("externalId", "string", "Only effects with this id at the destination.")
                .paged()
                .build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return paged(call, request)
        .query("name", call.textOrNull("name"))
        .query("key", call.textOrNull("key"))
        .query("state", call.textOrNull("state"))
        .query("run", call.textOrNull("run"))
        .query("externalId", call.textOrNull("externalId"));
  }
}
