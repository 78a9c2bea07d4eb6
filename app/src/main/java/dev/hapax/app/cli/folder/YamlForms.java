package dev.hapax.app.cli.folder;

import dev.hapax.flows.check.Finding;
import dev.hapax.flows.check.Level;
import dev.hapax.flows.yaml.FileProblem;
import dev.hapax.flows.yaml.Node;
import dev.hapax.flows.yaml.Yaml;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import tools.jackson.databind.JsonNode;

/** YAML files that are no flows: read as maps, written from JSON. */
final class YamlForms {
  private YamlForms() {}

  /** Returns the file as a map; null if it is none, and then there is a problem more. */
  static @Nullable Map<String, Object> read(String file, String text, List<Finding> problems) {
    var found = new ArrayList<FileProblem>();
    Node root = new Yaml(file, found).read(text);
    for (FileProblem problem : found) {
      problems.add(
          new Finding(
              problem.rule(), Level.ERROR, problem.position(), problem.message(), problem.fix()));
    }
    if (root instanceof Node.Mapping mapping && found.isEmpty()) {
      return mapOf(mapping.plain());
    }
    if (found.isEmpty()) {
      problems.add(FolderFiles.problem(file, "is not a mapping", "Write 'name: value' lines."));
    }
    return null;
  }

  /** Returns a value as a map with the same members. */
  static Map<String, Object> mapOf(Object value) {
    var map = new LinkedHashMap<String, Object>();
    ((Map<?, ?>) value).forEach((key, member) -> map.put(String.valueOf(key), member));
    return map;
  }

  /** Applies a merge patch (RFC 7396): members replace members, null removes them. */
  static Map<String, Object> merged(Map<String, Object> base, Map<String, Object> patch) {
    var result = new LinkedHashMap<>(base);
    patch.forEach(
        (name, value) -> {
          if (value == null) {
            result.remove(name);
          } else if (value instanceof Map<?, ?>) {
            Object before = result.get(name);
            Map<String, Object> inner = before instanceof Map<?, ?> ? mapOf(before) : Map.of();
            result.put(name, merged(inner, mapOf(value)));
          } else {
            result.put(name, value);
          }
        });
    return result;
  }

  /** Returns JSON as YAML that people edit. */
  static String write(JsonNode json) {
    DumpSettings settings =
        DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).setWidth(110).build();
    return new Dump(settings).dumpToString(Json.read(json.toString(), Object.class));
  }
}
