package dev.hapax.app.mcp.tool;

import dev.hapax.Hapax;
import dev.hapax.app.http.Actor;
import dev.hapax.app.http.Call;
import dev.hapax.app.http.InnerCalls;
import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import dev.hapax.app.http.Problem;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decides an approval, but never for the credential that started the run or one of the runs above
 * it, no matter what the flow says.
 */
final class DecideApprovalTool extends RouteTool {
  DecideApprovalTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.POST, "/api/approvals/{id}"),
        Kind.DANGEROUS,
        new ToolDefinition(
            "decide_approval",
            "Decide an approval",
            "Decides a question that a run asks people. Only do so if a person told you the"
                + " decision. A token that started the run is always refused.",
            ArgumentSchema.of()
                .must("approval", "string", "The id of the approval.")
                .must("decision", "string", "approve, reject or rework.")
                .may("comment", "string", "Why; it stays in the history.")
                .may("values", "object", "The values that the decision brings.")
                .build(),
            new ToolHints(false, true, true, true)));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    ObjectNode body = call.arguments().deepCopy();
    body.remove(List.of("approval"));
    return request.path("id", call.text("approval")).json(body);
  }

  @Override
  ToolResult answer(AgentCall call, InnerRequest empty) throws InterruptedException {
    InnerCalls.Answer approval =
        routes.ask(
            call.caller(),
            InnerRequest.to(Method.GET, "/api/approvals/{id}").path("id", call.text("approval")));
    if (!approval.isFine()) {
      return ToolAnswers.refused(approval);
    }
    refuseStarter(call.caller(), approval.body().path("run").asString(""));
    return super.answer(call, empty);
  }

  private static void refuseStarter(Call caller, String run) {
    Hapax hapax = caller.hapax();
    Actor actor = caller.actor();
    if (hapax.approvals().isStarter(hapax.run(run), actor.id(), actor.name())) {
      throw Problem.forbidden(
          "this token, or another one of its owner, started the run, so over MCP it cannot decide"
              + " the run's approval. Ask another person");
    }
  }
}
