package dev.hapax.app.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An OpenAPI document as types of TypeScript: its schemas, and each call by method and path. */
final class ApiTypes {
  private static final String BEGIN =
      """
      // Made from a server's /openapi.json by ApiTypesTest (-Dhapax.golden=write). Not written by hand.
      """;

  private final JsonNode document;

  private ApiTypes(JsonNode document) {
    this.document = document;
  }

  static String of(JsonNode document) {
    return new ApiTypes(document).text();
  }

  private String text() {
    var text = new StringBuilder(BEGIN);
    for (Map.Entry<String, JsonNode> schema :
        sorted(document.path("components").path("schemas")).entrySet()) {
      text.append("\nexport interface ").append(schema.getKey()).append(" ");
      text.append(object(schema.getValue(), "")).append("\n");
    }
    text.append("\n/** Every call of the API. */\nexport interface Operations {\n");
    for (Map.Entry<String, JsonNode> path : sorted(document.path("paths")).entrySet()) {
      for (Map.Entry<String, JsonNode> call : sorted(path.getValue()).entrySet()) {
        String name = call.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey();
        text.append("  \"%s\": {\n".formatted(name));
        text.append("    path: %s;\n".formatted(parameters(call.getValue(), "path")));
        text.append("    query: %s;\n".formatted(parameters(call.getValue(), "query")));
        text.append("    body: %s;\n".formatted(body(call.getValue())));
        text.append("    answer: %s;\n  };\n".formatted(answer(call.getValue())));
      }
    }
    return text.append("}\n").toString();
  }

  private static Map<String, JsonNode> sorted(JsonNode object) {
    var entries = new TreeMap<String, JsonNode>();
    object.properties().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
    return entries;
  }

  private static String parameters(JsonNode call, String in) {
    List<String> members = new ArrayList<>();
    for (JsonNode parameter : call.path("parameters")) {
      if (parameter.path("in").asString().equals(in)) {
        String name = parameter.path("name").asString();
        members.add(
            name.endsWith("*")
                ? "[name: `%s${string}`]: string".formatted(name.substring(0, name.length() - 1))
                : (name.matches("\\w+") ? name : "\"" + name + "\"")
                    + (in.equals("path") ? "" : "?")
                    + ": string");
      }
    }
    return members.isEmpty() ? "Record<string, never>" : "{ " + String.join("; ", members) + " }";
  }

  private static String body(JsonNode call) {
    JsonNode schema =
        call.path("requestBody").path("content").path("application/json").path("schema");
    return schema.isMissingNode() ? "unknown" : type(schema, "    ");
  }

  /** The answers of one call have one type, whatever their status is. */
  private static String answer(JsonNode call) {
    Set<String> types =
        call.path("responses").properties().stream()
            .filter(response -> response.getKey().startsWith("2"))
            .map(response -> content(response.getValue().path("content")))
            .flatMap(one -> one.contains("{") ? Stream.of(one) : Stream.of(one.split(" \\| ")))
            .collect(Collectors.toCollection(TreeSet::new));
    return String.join(" | ", types);
  }

  private static String content(JsonNode content) {
    if (content.isMissingNode() || content.isEmpty()) {
      return "void";
    }
    JsonNode json = content.path("application/json").path("schema");
    return json.isMissingNode() ? "string" : type(json, "    ");
  }

  private static String type(JsonNode schema, String margin) {
    String reference = schema.path("$ref").asString("");
    if (!reference.isEmpty()) {
      return reference.substring(reference.lastIndexOf('/') + 1);
    }
    if (schema.has("anyOf")) {
      return schema
          .path("anyOf")
          .valueStream()
          .map(one -> type(one, margin))
          .collect(Collectors.joining(" | "));
    }
    JsonNode type = schema.path("type");
    if (type.isArray()) {
      return type.valueStream()
          .map(one -> named(one.asString(), schema, margin))
          .collect(Collectors.joining(" | "));
    }
    return named(type.asString(""), schema, margin);
  }

  private static String named(@Nullable String type, JsonNode schema, String margin) {
    return switch (type) {
      case "string" -> "string";
      case "boolean" -> "boolean";
      case "integer", "number" -> "number";
      case "null" -> "null";
      case "array" -> {
        String item = type(schema.path("items"), margin);
        yield (item.contains(" ") && !item.startsWith("{") ? "(" + item + ")" : item) + "[]";
      }
      case "object" -> object(schema, margin);
      case null, default -> "unknown";
    };
  }

  private static String object(JsonNode schema, String margin) {
    JsonNode properties = schema.path("properties");
    if (properties.isEmpty()) {
      return "Record<string, unknown>";
    }
    Set<String> required =
        schema.path("required").valueStream().map(JsonNode::asString).collect(Collectors.toSet());
    var text = new StringBuilder("{\n");
    sorted(properties) // some documents are made from maps without an order
        .forEach(
            (name, member) ->
                text.append(
                    "%s  %s%s: %s;\n"
                        .formatted(
                            margin,
                            name,
                            required.contains(name) ? "" : "?",
                            type(member, margin + "  "))));
    return text.append(margin).append("}").toString();
  }
}
