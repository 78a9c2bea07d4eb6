package dev.hapax.flows.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The part of a JSON Schema that providers accept. What they do not know becomes words in the
 * description: the model reads them, and the whole schema checks the answer afterwards.
 */
public final class ReducedSchema {
  private static final Set<String> KEPT =
      Set.of("type", "enum", "const", "required", "description", "title", "$ref");
  private static final Set<String> SILENT = Set.of("$schema", "$id", "personal", "examples");
  private static final String PROPERTIES = "properties";

  private ReducedSchema() {}

  public static Map<String, Object> of(Map<?, ?> schema) {
    var reduced = new LinkedHashMap<String, Object>();
    List<String> said = new ArrayList<>();
    schema.forEach((key, value) -> add(reduced, said, String.valueOf(key), value));
    if (reduced.get(PROPERTIES) != null) {
      reduced.put("additionalProperties", false);
    }
    if (!said.isEmpty()) {
      String before = reduced.get("description") instanceof String text ? text + " " : "";
      reduced.put("description", before + "(" + String.join(", ", said) + ")");
    }
    return reduced;
  }

  private static void add(
      Map<String, Object> reduced, List<String> said, String key, @Nullable Object value) {
    if (value == null) {
      return;
    }
    switch (key) {
      case PROPERTIES, "$defs" -> reduced.put(key, each(value));
      case "items" -> reduced.put(key, inner(value));
      case "anyOf", "oneOf" ->
          reduced.put(
              "anyOf",
              value instanceof List<?> all
                  ? all.stream().map(ReducedSchema::inner).toList()
                  : List.of());
      case "additionalProperties", "patternProperties", "if", "then", "else", "not", "allOf" -> {}
      default -> {
        if (KEPT.contains(key)) {
          reduced.put(key, value);
        } else if (!SILENT.contains(key)) {
          said.add(key + " " + value);
        }
      }
    }
  }

  private static Object inner(@Nullable Object value) {
    return value instanceof Map<?, ?> schema ? of(schema) : Map.of();
  }

  private static Map<String, Object> each(Object value) {
    var all = new LinkedHashMap<String, Object>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, schema) -> all.put(String.valueOf(name), inner(schema)));
    }
    return all;
  }

  /** Whether it demands every member, as a strict answer of OpenAI needs it. */
  static boolean isStrict(Object schema) {
    return switch (schema) {
      case Map<?, ?> map -> {
        boolean isWhole =
            !(map.get(PROPERTIES) instanceof Map<?, ?> properties)
                || (map.get("required") instanceof List<?> required
                    && new TreeSet<>(required.stream().map(String::valueOf).toList())
                        .equals(
                            new TreeSet<>(
                                properties.keySet().stream().map(String::valueOf).toList())));
        yield isWhole
            && map.entrySet().stream()
                .filter(entry -> !"enum".equals(entry.getKey()))
                .allMatch(entry -> isStrict(entry.getValue()));
      }
      case List<?> list -> list.stream().allMatch(ReducedSchema::isStrict);
      case null, default -> true;
    };
  }
}
