package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.InnerCalls;
import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import dev.hapax.app.http.TokenScope;
import dev.hapax.app.mcp.tool.ToolResult.Outcome;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Proves a draft. Its route reads the draft, so that the caller needs the same permissions; the
 * proof itself also takes the time of the server, so it is for those who may write drafts.
 */
final class ProveDraftTool extends RouteTool {
  private final DraftProver prover;

  ProveDraftTool(AgentRoutes routes, DraftProver prover) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/flows/{flow}/draft"),
        Kind.READ,
        new ToolDefinition(
            "prove_draft",
            "Prove a draft",
            "Proves in memory that each effect of a draft happens once, no matter what goes wrong:"
                + " the process dies, answers get lost, requests arrive twice. Sends nothing. Takes"
                + " about 10 seconds and lists what was not tried in this time.",
            ArgumentSchema.of().must("flow", "string", "The name of the flow.").read().build(),
            ToolHints.READ));
    this.prover = prover;
  }

  @Override
  public boolean isFor(Call caller) {
    return super.isFor(caller) && caller.actor().may(TokenScope.FLOWS_WRITE);
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path("flow", call.text("flow"));
  }

  @Override
  ToolResult answer(AgentCall call, InnerRequest empty) throws InterruptedException {
    InnerCalls.Answer draft = routes.ask(call.caller(), asked(call, empty));
    if (!draft.isFine()) {
      return ToolAnswers.refused(draft);
    }
    JsonNode proofs = Call.shown(Map.of("proofs", prover.prove(call.caller(), call.text("flow"))));
    ToolResult shown = ToolAnswers.read(call, new InnerCalls.Answer(200, proofs, draft.headers()));
    return ToolResult.of(words(proofs), shown.structured(), false, Outcome.DONE);
  }

  private static String words(JsonNode proofs) {
    boolean holds = true;
    boolean isComplete = true;
    for (JsonNode proof : proofs.path("proofs")) {
      holds &= proof.path("holds").asBoolean(false);
      isComplete &= proof.path("untried").isEmpty();
    }
    if (!holds) {
      return "Not proven: 'problems' or 'refusal' says what went wrong, and where. Correct the"
          + " draft and prove it again.";
    }
    return isComplete
        ? "Proven: every effect was applied once at every boundary that was tried."
        : "Every effect was applied once at every boundary that was tried, but not all were:"
            + " 'untried' lists the others. hapax prove tries them where the files are.";
  }
}
