package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;

/** Write a draft. */
final class PushDraftTool extends RouteTool {
  PushDraftTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.PUT, "/api/flows/{flow}/draft"),
        Kind.WRITE,
        new ToolDefinition(
            "push_draft",
            "Write a draft",
            "Writes the draft of a flow and lists its problems. Replaces the draft that was there;"
                + " releases and runs stay as they are. A draft starts nothing by itself.",
            ArgumentSchema.of()
                .must("flow", "string", "The name of the flow.")
                .must(
                    "file",
                    "string",
                    "The whole flow file, YAML. Its first key is `flow` with the same name.")
                .build(),
            new ToolHints(false, true, true, false)));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path("flow", call.text("flow")).text(call.text("file"), "application/yaml");
  }
}
