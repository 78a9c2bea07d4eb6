package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Runs a draft, which sends nothing. */
final class RunDraftTool extends RouteTool {
  RunDraftTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.POST, "/api/flows/{flow}/runs"),
        Kind.WRITE,
        new ToolDefinition(
            "run_draft",
            "Try a draft",
            "Runs a draft with an input. It sends nothing: the answer lists what it would send. Its"
                + " keys and values are apart from those of real runs.",
            ArgumentSchema.of()
                .must("flow", "string", "The name of the flow.")
                .may("input", "", "The input of the run; an empty object unless given.")
                .may(
                    FlowToolSchema.KEY,
                    "string",
                    FlowToolSchema.KEY_WORDS + " Only for a flow that computes no key.")
                .build(),
            new ToolHints(false, false, false, false)));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    JsonNode input = call.value("input");
    return request
        .path("flow", call.text("flow"))
        .query("draft", "true")
        .header("Prefer", "wait=" + RunOutcome.WAIT_SECONDS)
        .header("Idempotency-Key", call.key())
        .json(input == null ? JsonNodeFactory.instance.objectNode() : input);
  }
}
