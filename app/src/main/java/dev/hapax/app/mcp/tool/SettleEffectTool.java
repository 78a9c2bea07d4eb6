package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import java.util.List;

/** Settle an effect in review. */
final class SettleEffectTool extends RouteTool {
  SettleEffectTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.POST, "/api/effects/{id}/settle"),
        Kind.DANGEROUS,
        new ToolDefinition(
            "settle_effect",
            "Settle an effect in review",
            "Records what became of an effect whose outcome is unknown. Look at the destination"
                + " first; never guess.",
            ArgumentSchema.of()
                .must("effect", "string", "The id of the effect.")
                .must("decision", "string", "happened, not-happened or abandon.")
                .must("reason", "string", "The evidence; it stays in the history.")
                .may(
                    "revision",
                    "integer",
                    "As get_effect shows it, so that a doubt that has moved on is refused.")
                .may("attempt", "integer", "As get_effect shows it.")
                .may("externalId", "string", "The id at the destination, if it happened.")
                .build(),
            new ToolHints(false, true, true, true)));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request
        .path("id", call.text("effect"))
        .json(call.arguments().deepCopy().remove(List.of("effect")));
  }
}
