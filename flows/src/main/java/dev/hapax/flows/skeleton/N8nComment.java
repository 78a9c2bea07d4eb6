package dev.hapax.flows.skeleton;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The JSON of a node for a comment: without credentials, ids, places and long texts. */
final class N8nComment {
  private static final Set<String> LEFT_OUT =
      Set.of("credentials", "id", "position", "webhookId", "notes", "extendsCredential");
  private static final int MOST_LINES = 40;
  private static final int DEEPEST = 12;
  private static final JsonMapper PRETTY =
      JsonMapper.builder()
          .enable(tools.jackson.databind.SerializationFeature.INDENT_OUTPUT)
          .build();

  private N8nComment() {}

  static String of(N8nNode node) {
    String json = PRETTY.writeValueAsString(shown(node.json(), "", 0));
    long lines = json.lines().count();
    String text = json.lines().limit(MOST_LINES).collect(Collectors.joining("\n"));
    return lines > MOST_LINES ? text + "\n… and %d lines more".formatted(lines - MOST_LINES) : text;
  }

  private static @Nullable Object shown(JsonNode json, String name, int depth) {
    if (Sensitive.isName(name) && json.isValueNode()) {
      return Sensitive.HIDDEN;
    }
    if (depth > DEEPEST) {
      return "…";
    }
    if (json.isObject()) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      boolean isSecret = Sensitive.isName(json.path("name").asString(""));
      json.properties().stream()
          .filter(member -> !LEFT_OUT.contains(member.getKey()))
          .forEach(
              member ->
                  map.put(
                      member.getKey(),
                      isSecret && member.getKey().equals("value")
                          ? Sensitive.HIDDEN
                          : shown(member.getValue(), member.getKey(), depth + 1)));
      return map;
    }
    if (json.isArray()) {
      return json.valueStream().limit(50).map(one -> shown(one, "", depth + 1)).toList();
    }
    return json.isString() ? Sensitive.command(N8nNotes.place(json.asString())) : json;
  }
}
