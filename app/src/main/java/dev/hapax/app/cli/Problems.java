package dev.hapax.app.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Maps a server's problems to refusals: design 13, name for name. */
final class Problems {
  private static final Set<String> OWN_MEMBERS = Set.of("type", "title", "status", "detail");

  private Problems() {}

  static Refusal refusal(
      int status, JsonNode problem, @Nullable String retryAfter, boolean hadToken) {
    String type = problem.path("type").asString("");
    String code =
        type.isEmpty() || type.equals("about:blank")
            ? "http-" + status
            : type.substring(type.lastIndexOf('/') + 1);
    String message = problem.path("detail").asString(problem.path("title").asString(code));
    var details = new LinkedHashMap<String, Object>();
    for (Map.Entry<String, JsonNode> member : problem.properties()) {
      if (!OWN_MEMBERS.contains(member.getKey())) {
        details.put(member.getKey(), member.getValue());
      }
    }
    return Refusal.of(exit(status), code, message)
        .details(details)
        .hint(hint(code, problem, retryAfter, hadToken));
  }

  private static Exit exit(int status) {
    if (status >= 500) {
      return Exit.UNREACHABLE;
    }
    return status == 404 ? Exit.NOT_FOUND : Exit.REFUSED;
  }

  private static @Nullable String hint(
      String code, JsonNode problem, @Nullable String retryAfter, boolean hadToken) {
    String run = problem.path("run").path("id").asString("RUN");
    return switch (code) {
      case "unauthorized" ->
          hadToken
              ? "the token is unknown, expired or revoked; HAPAX_TOKEN, --profile or --data DIR"
                  + " gives another"
              : "give a token: HAPAX_TOKEN, --profile NAME, or --data DIR of a local server";
      case "forbidden" -> "use a token with the scope or role that this needs: hapax tokens create";
      case "key-reused" -> "use another key, or look at the first run: hapax runs show " + run;
      case "key-expired" ->
          "the work was done in run %s; use another key to do it anew".formatted(run);
      case "stale" -> "look at what is there now, then decide again";
      case "findings" -> "each finding names its fix; try 'hapax check FILE' until it has none";
      case "concurrency-limit", "rate-limited", "unavailable" ->
          "try again in %s s; nothing was done"
              .formatted(retryAfter == null ? "a few" : retryAfter);
      default -> null;
    };
  }
}
