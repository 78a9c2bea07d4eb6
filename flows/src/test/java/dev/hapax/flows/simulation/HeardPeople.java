package dev.hapax.flows.simulation;

import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Json;
import dev.hapax.run.wait.Wait;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The people behind a webhook: they keep each message once, by its id, and notice other ones. */
final class HeardPeople {
  private static final String ALERT = "hapax.alert.";

  private final Map<String, Map<?, ?>> alerts = new LinkedHashMap<>();
  private final Map<String, Set<String>> questions = new HashMap<>();
  private final Set<String> changed = new HashSet<>();

  void hear(String id, @Nullable Object body) {
    if (body instanceof Map<?, ?> message && message.get("data") instanceof Map<?, ?> data) {
      if (String.valueOf(message.get("type")).startsWith(ALERT)) {
        Map<?, ?> before = alerts.putIfAbsent(id, data);
        if (before != null && !canonical(before).equals(canonical(data))) {
          changed.add(id);
        }
      } else {
        String asked = question(data.get("ask"), data.get("round"));
        questions.computeIfAbsent(asked, _ -> new HashSet<>()).add(id);
      }
    }
  }

  private static String canonical(Map<?, ?> data) {
    return CanonicalJson.of(Json.write(data));
  }

  /** An approval, as people tell it from others. */
  static String question(@Nullable Object ask, @Nullable Object round) {
    return "%s in round %s".formatted(ask, round);
  }

  /** Whether a message about this approval has come. */
  boolean hasHeardOf(Wait approval) {
    return questions.containsKey(question(approval.ask(), approval.step().roundNumber()));
  }

  int countOfQuestions() {
    return questions.size();
  }

  /** Adds what is wrong with the messages about approvals. */
  void compareQuestions(Set<String> expected, List<String> wrong) {
    questions.forEach(
        (ask, ids) -> {
          if (!expected.contains(ask)) {
            wrong.add("Unwanted: a message about '%s', which is not asked".formatted(ask));
          }
          if (ids.size() > 1) {
            wrong.add("Doubled: '%s' was announced under the ids %s".formatted(ask, ids));
          }
        });
  }

  /**
   * Returns how many alerts of this kind about this flow people know of. The messages of one cause
   * and window count the same alerts.
   */
  long countOf(String alert, String flow) {
    Map<List<String>, Long> windows = new HashMap<>();
    for (Map<?, ?> data : alerts.values()) {
      if (alert.equals(data.get("alert")) && flow.equals(data.get("flow"))) {
        List<String> window =
            List.of(
                String.valueOf(data.get("step")),
                String.valueOf(data.get("code")),
                String.valueOf(data.get("from")));
        long count = data.get("count") instanceof Number number ? number.longValue() : 0;
        windows.merge(window, count, Math::max);
      }
    }
    return windows.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the ids whose content has changed between two deliveries. */
  Set<String> changed() {
    return changed;
  }
}
