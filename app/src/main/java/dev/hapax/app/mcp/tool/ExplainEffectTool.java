package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerCalls;
import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Explains an effect: whether it happened, who settles it, and what another call would do. */
final class ExplainEffectTool extends RouteTool {
  private static final InnerRequest RUN = InnerRequest.to(Method.GET, "/api/runs/{id}");
  private static final InnerRequest REVIEW = InnerRequest.to(Method.GET, "/api/reviews/{id}");
  private static final String ID = "id";

  ExplainEffectTool(AgentRoutes routes) {
    super(
        routes,
        InnerRequest.to(Method.GET, "/api/effects/{id}"),
        Kind.READ,
        new ToolDefinition(
            "explain_effect",
            "Explain an effect",
            "Explains whether an effect happened, on which evidence, which run settles it, and what"
                + " the same call would do now.",
            ArgumentSchema.of()
                .must("effect", "string", "The id of the effect, for example `e-easv…`.")
                .read()
                .build(),
            ToolHints.READ));
  }

  @Override
  InnerRequest asked(AgentCall call, InnerRequest request) {
    return request.path(ID, call.text("effect"));
  }

  @Override
  ToolResult answer(AgentCall call, InnerRequest empty) throws InterruptedException {
    InnerCalls.Answer effect = routes.ask(call.caller(), asked(call, empty));
    if (!effect.isFine()) {
      return ToolAnswers.refused(effect);
    }
    JsonNode row = effect.body();
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("meaning", meaning(row));
    data.set("effect", row);
    if (row.path("run").isString()) {
      InnerCalls.Answer run = routes.ask(call.caller(), RUN.path(ID, row.get("run").asString()));
      data.set(
          "run",
          run.isFine() ? RunOutcome.of(run.body(), true).structured() : notShown(run.body()));
    }
    if (row.path("state").asString("").equals("review")) {
      InnerCalls.Answer review = routes.ask(call.caller(), REVIEW.path(ID, call.text("effect")));
      data.set("review", review.isFine() ? review.body() : notShown(review.body()));
    }
    return ToolAnswers.read(call, new InnerCalls.Answer(200, data, effect.headers()));
  }

  /** A part that this token may not see. */
  private static JsonNode notShown(JsonNode problem) {
    return JsonNodeFactory.instance.stringNode("not shown: " + problem.path("detail").asString(""));
  }

  private static String meaning(JsonNode row) {
    String what =
        "Effect '%s' with key '%s' (guard %s, %s attempts)"
            .formatted(
                row.path("name").asString(""),
                row.path("key").asString(""),
                row.path("guard").asString(""),
                row.path("attempts").asString("0"));
    String run = row.path("run").isString() ? "run " + row.get("run").asString() : "its run";
    return switch (row.path("state").asString("")) {
      case "done" ->
          "%s is done. Another call or run with this name and key gets its result, and nothing is sent again."
              .formatted(what);
      case "pending" ->
          "%s is under way: %s sends it, and others with this key wait for the result. Nothing needs to be done."
              .formatted(what, run);
      case "doubt" ->
          "%s was sent, and it is not known whether it happened. Its guard settles that by itself; %s waits. Do not repeat it with another key."
              .formatted(what, run);
      case "review" ->
          "%s was sent, and it is not known whether it happened. Only a person can settle it, by looking at the destination. It is not safe to repeat it with another key."
              .formatted(what);
      case "undoing" -> "%s is done, and %s is about to undo it.".formatted(what, run);
      case "failed" ->
          "%s failed and was not applied. After the cause is removed, a retry of %s sends it again, and so does another claim of this key."
              .formatted(what, run);
      case "abandoned" ->
          "%s was given up in doubt by a person: it is unknown whether it happened. Another claim of this key sends nothing and asks a person. It is not safe to repeat it with another key."
              .formatted(what);
      case "undone" ->
          "%s was done and then undone. Another claim of this key sends it as the next revision."
              .formatted(what);
      default -> "%s is %s.".formatted(what, row.path("state").asString(""));
    };
  }
}
