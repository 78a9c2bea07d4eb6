package dev.hapax.app.cli.connection;

import dev.hapax.app.cli.output.Exit;
import dev.hapax.app.cli.output.Refusal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Turns a server's problem document into a refusal. */
final class ProblemRefusals {
  private static final Set<String> OWN_MEMBERS = Set.of("type", "title", "status", "detail");

  private ProblemRefusals() {}

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
              ? "the token is unknown, expired or revoked; use another one: HAPAX_TOKEN, --profile or"
                  + " --data DIR"
              : "pass a token: HAPAX_TOKEN, --profile NAME, or --data DIR of a local server";
      case "forbidden" -> "use a token with the required scope or role: hapax tokens create";
      case "key-reused" -> "use another key, or see the first run: hapax runs show " + run;
      case "key-expired" -> "run %s did the work; use another key to do it again".formatted(run);
      case "stale" -> "read the current state, then decide again";
      case "findings" ->
          "each finding names its fix; 'hapax check FILE' finds those that need no server";
      case "concurrency-limit", "rate-limited", "unavailable" ->
          "try again in %s s; nothing was done"
              .formatted(retryAfter == null ? "a few" : retryAfter);
      case "quota-exceeded" ->
          retryAfter == null
              ? "nothing was done; remove what is not needed, or ask the operator for a larger quota"
              : "nothing was done; try again in %s s, or ask the operator for a larger quota"
                  .formatted(retryAfter);
      default -> null;
    };
  }
}
