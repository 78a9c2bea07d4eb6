package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.InnerCalls;
import dev.hapax.app.http.InnerRequest;
import dev.hapax.app.http.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * What a run needs from people before it can go on: approvals, reviews and the like. A client can
 * only ask its user to open the page of the run. The decision is made there, with the person's own
 * credential, so the one that started the run cannot answer.
 *
 * @param page where a person decides
 * @param waits a clause for each, by a key that stays the same for the same question
 */
record RunNeeds(String page, boolean isReview, Map<String, String> waits) {
  private static final InnerRequest WAITS = InnerRequest.to(Method.GET, "/api/runs/{id}/waits");
  private static final InnerRequest EFFECT = InnerRequest.to(Method.GET, "/api/effects/{id}");
  private static final String APPROVAL = "approval-";
  private static final Set<String> MAY_NEED = Set.of("review", "waiting");

  /** Asks as the caller, who may read the run. */
  static RunNeeds of(AgentRoutes routes, Call call, JsonNode run, String page)
      throws InterruptedException {
    String status = run.path("status").asString("");
    var waits = new LinkedHashMap<String, String>();
    if (MAY_NEED.contains(status)) {
      InnerCalls.Answer answer = routes.ask(call, WAITS.path("id", run.path("id").asString("")));
      for (JsonNode wait : answer.isFine() ? answer.body().path("items") : answer.body()) {
        if (wait.path("asksPerson").asBoolean(false)) {
          waits.put(key(routes, call, wait), wait.path("message").asString(""));
        }
      }
      if (waits.isEmpty() && status.equals("review")) {
        waits.put("review", "waits for a person");
      }
    }
    return new RunNeeds(page, status.equals("review"), waits);
  }

  /** Another doubt about the same effect is another question. */
  private static String key(AgentRoutes routes, Call call, JsonNode wait)
      throws InterruptedException {
    if (wait.path("approval").isString()) {
      return APPROVAL + wait.get("approval").asString();
    }
    if (!wait.path("effect").isString()) {
      return "%s-%s".formatted(wait.path("cause").asString(""), wait.path("step").asString("run"));
    }
    String effect = wait.get("effect").asString();
    JsonNode row = routes.ask(call, EFFECT.path("id", effect)).body();
    return "review-%s-%s-%s"
        .formatted(effect, row.path("revision").asString("0"), row.path("attempts").asString("0"));
  }

  boolean isEmpty() {
    return waits.isEmpty();
  }

  /** Says it in the status message of a task. */
  String words(String status) {
    String waiting = waits.values().stream().distinct().collect(Collectors.joining("; it "));
    return "Status: %s. The run %s. A person decides, at %s.%s"
        .formatted(status, waiting, page, advice());
  }

  private String advice() {
    String approval =
        waits.keySet().stream().anyMatch(key -> key.startsWith(APPROVAL))
            ? " The credential that started the run cannot approve it."
            : "";
    String review =
        isReview
            ? " It is not known whether one of its effects happened, so it is not safe to repeat"
                + " this with another key."
            : "";
    return approval + review;
  }

  /** Returns a request to open the page for each, as the protocol has them. */
  Map<String, Object> requests() {
    var requests = new LinkedHashMap<String, Object>();
    waits.forEach(
        (key, clause) ->
            requests.put(
                key,
                Map.of(
                    "method",
                    "elicitation/create",
                    "params",
                    Map.of(
                        "mode",
                        "url",
                        "message",
                        "The run %s. Open its page to decide, with your own login.%s"
                            .formatted(clause, advice()),
                        "url",
                        page))));
    return requests;
  }
}
