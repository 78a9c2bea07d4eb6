package dev.hapax.app.cli.folder;

import dev.hapax.flows.check.Finding;
import dev.hapax.flows.expression.Suggestion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code env/NAME.yaml}: the values of one environment. Flow files are the same in all of them.
 *
 * @param name null without an environment
 * @param url of its server; a deployment to another one is refused
 * @param approval {@code other-person} if another person must approve a deployment
 * @param connections merged into the connections of the folder, by name
 * @param alerts merged into the alerts of the folder
 */
record EnvironmentFile(
    @Nullable String name,
    @Nullable String url,
    @Nullable String approval,
    Map<String, Map<String, Object>> connections,
    Map<String, Object> alerts) {
  private static final Set<String> KEYS = Set.of("url", "approval", "connections", "alerts");
  private static final String OTHER_PERSON = "other-person";

  static final EnvironmentFile NONE = new EnvironmentFile(null, null, null, Map.of(), Map.of());

  static EnvironmentFile read(String name, String file, String text, List<Finding> problems) {
    Map<String, Object> values = YamlForms.read(file, text, problems);
    if (values == null) {
      return NONE;
    }
    for (String key : values.keySet()) {
      if (!KEYS.contains(key)) {
        problems.add(
            FolderFiles.problem(
                file,
                "'%s' is unknown%s".formatted(key, Suggestion.among(key, KEYS)),
                "Use url, approval, connections or alerts. Settings of the server are in its own file."));
      }
    }
    String approval = text(file, values, "approval", problems);
    if (approval != null && !approval.equals(OTHER_PERSON)) {
      problems.add(
          FolderFiles.problem(
              file,
              "approval: expected %s, got another word".formatted(OTHER_PERSON),
              "Write 'approval: %s', or leave it out.".formatted(OTHER_PERSON)));
    }
    return new EnvironmentFile(
        name,
        text(file, values, "url", problems),
        approval,
        connections(file, values, problems),
        alerts(file, values, problems));
  }

  private static Map<String, Object> alerts(
      String file, Map<String, Object> values, List<Finding> problems) {
    Object alerts = values.get("alerts");
    if (alerts == null || alerts instanceof Map<?, ?>) {
      return alerts == null ? Map.of() : YamlForms.mapOf(alerts);
    }
    problems.add(
        FolderFiles.problem(file, "alerts: expected a mapping", "Write it as in alerts.yaml."));
    return Map.of();
  }

  private static @Nullable String text(
      String file, Map<String, Object> values, String key, List<Finding> problems) {
    Object value = values.get(key);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    problems.add(FolderFiles.problem(file, key + ": expected a text", "Write it in quotes."));
    return null;
  }

  private static Map<String, Map<String, Object>> connections(
      String file, Map<String, Object> values, List<Finding> problems) {
    var found = new LinkedHashMap<String, Map<String, Object>>();
    Object all = values.getOrDefault("connections", Map.of());
    if (all instanceof Map<?, ?> map) {
      YamlForms.mapOf(map)
          .forEach(
              (name, form) -> {
                if (form instanceof Map<?, ?>) {
                  found.put(name, YamlForms.mapOf(form));
                } else {
                  problems.add(
                      FolderFiles.problem(
                          file,
                          "connections.%s: expected a mapping".formatted(name),
                          "Write the members that differ, for example 'http: {base: …}'."));
                }
              });
    } else {
      problems.add(
          FolderFiles.problem(
              file, "connections: expected a mapping", "Write 'NAME: {…}' below it."));
    }
    return found;
  }
}
