package dev.hapax.app.access;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.TokenScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * What the body of a request asks for, as a line of the audit log names it: a decision, a plan, the
 * effects that are sent again. Only words and ids; no values, and no texts of people.
 */
final class AuditedTerms {
  private static final Set<TokenScope> DECISIONS =
      Set.of(TokenScope.APPROVALS_DECIDE, TokenScope.EFFECTS_SETTLE);
  private static final Map<String, List<String>> MEMBERS =
      Map.of(
          "/api/replays", List.of("apply", "plan", "runs", "filter", "force"),
          "/api/jobs", List.of("apply", "plan", "kind", "decision", "filter", "force"),
          "/api/reconciliations", List.of("flow", "step", "adopt", "repair"));

  /** Of a filter. */
  private static final List<String> SELECTING = List.of("flow", "status", "error", "ids");

  private static final int MOST = 10;
  private static final Pattern WORD = Pattern.compile("[\\w.:/*-]{1,100}");

  private AuditedTerms() {}

  /** The handler refuses a body that cannot be read. */
  static List<String> of(Route route, Call call) {
    List<String> members =
        MEMBERS.getOrDefault(
            route.path(), DECISIONS.contains(route.scope()) ? List.of("decision") : List.of());
    if (members.isEmpty()) {
      return List.of();
    }
    try {
      return terms(call.jsonOrEmpty(), members, "");
    } catch (Problem unreadable) {
      return List.of();
    }
  }

  private static List<String> terms(JsonNode body, List<String> members, String before) {
    var terms = new ArrayList<String>();
    for (String member : members) {
      JsonNode value = body.path(member);
      if (member.equals("filter")) {
        terms.addAll(terms(value, SELECTING, "filter."));
      } else if (!value.isMissingNode() && !value.isNull()) {
        terms.add(before + member + "=" + text(value));
      }
    }
    return terms;
  }

  private static String text(JsonNode value) {
    if (value.isArray()) {
      List<String> first = value.valueStream().limit(MOST).map(AuditedTerms::text).toList();
      String rest = value.size() > MOST ? " and %d more".formatted(value.size() - MOST) : "";
      return String.join(" ", first) + rest;
    }
    if (value.isObject()) {
      return text(value.path("effect"));
    }
    String word = value.asString("");
    return WORD.matcher(word).matches() ? word : "?";
  }
}
