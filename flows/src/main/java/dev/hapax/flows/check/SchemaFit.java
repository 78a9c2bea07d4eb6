package dev.hapax.flows.check;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares a value with expressions in it with a JSON Schema, as far as both are known without a
 * run: members that are missing or not allowed, and constants of another type.
 */
final class SchemaFit {
  private final BiConsumer<Position, String> problems;

  /**
   * Reports problems.
   *
   * @param problems each follows the name of the value in a sentence
   */
  SchemaFit(BiConsumer<Position, String> problems) {
    this.problems = problems;
  }

  void check(ValueTemplate value, JsonNode schema, String path) {
    switch (value) {
      case ValueTemplate.Mapping mapping -> checkMapping(mapping, schema, path);
      case ValueTemplate.Sequence sequence -> {
        if (fits(sequence.position(), "array", "a list", schema, path)
            && schema.path("items").isObject()) {
          sequence.elements().forEach(element -> check(element, schema.get("items"), path + "[]"));
        }
      }
      case ValueTemplate.Constant(Position position, Object constant) ->
          checkConstant(position, constant, schema, path);
      case ValueTemplate.Text(Template text) -> {
        if (text.isConstant()) {
          checkConstant(text.position(), text.source(), schema, path);
        } else if (text.onlyExpression() == null) {
          boolean _ = fits(text.position(), "string", "a text", schema, path);
        }
      }
    }
  }

  private void checkMapping(ValueTemplate.Mapping mapping, JsonNode schema, String path) {
    if (!fits(mapping.position(), "object", "a mapping", schema, path)) {
      return;
    }
    Map<String, ValueTemplate> members = mapping.members();
    for (JsonNode required : schema.path("required")) {
      if (required.isString() && !members.containsKey(required.stringValue())) {
        problems.accept(
            mapping.position(),
            "has no '%s', which the input schema requires"
                .formatted(below(path, required.stringValue())));
      }
    }
    JsonNode properties = schema.path("properties");
    boolean isClosed =
        schema.path("additionalProperties").isBoolean()
            && !schema.get("additionalProperties").booleanValue()
            && !schema.has("patternProperties");
    members.forEach(
        (name, member) -> {
          JsonNode property = properties.get(name);
          if (property != null && property.isObject()) {
            check(member, property, below(path, name));
          } else if (property == null && isClosed) {
            problems.accept(
                member.position(),
                "has '%s', which the input schema does not allow".formatted(below(path, name)));
          }
        });
  }

  private void checkConstant(
      Position position, @Nullable Object constant, JsonNode schema, String path) {
    String shown = constant == null ? "null" : "'" + constant + "'";
    if (!fits(position, typeOf(constant), shown, schema, path)) {
      return;
    }
    var allowed = new ArrayList<JsonNode>();
    schema.path("enum").forEach(allowed::add);
    if (schema.has("const")) {
      allowed.add(schema.get("const"));
    }
    JsonNode value = Json.tree(constant == null ? "null" : Json.write(constant));
    if (!allowed.isEmpty() && !allowed.contains(value)) {
      problems.accept(
          position,
          "has %s at '%s', where the input schema allows only %s"
              .formatted(
                  shown,
                  path,
                  String.join(", ", allowed.stream().map(JsonNode::toString).toList())));
    }
  }

  private static String typeOf(@Nullable Object constant) {
    return switch (constant) {
      case null -> "null";
      case Boolean _ -> "boolean";
      case String _ -> "string";
      case BigDecimal decimal when decimal.stripTrailingZeros().scale() > 0 -> "number";
      default -> "integer";
    };
  }

  private boolean fits(Position position, String type, String shown, JsonNode schema, String path) {
    List<String> types = types(schema.get("type"));
    if (types.isEmpty()
        || types.contains(type)
        || (type.equals("integer") && types.contains("number"))) {
      return true;
    }
    problems.accept(
        position,
        path.isEmpty()
            ? "is %s, but the input schema wants %s".formatted(shown, String.join(" or ", types))
            : "has %s at '%s', where the input schema wants %s"
                .formatted(shown, path, String.join(" or ", types)));
    return false;
  }

  private static List<String> types(@Nullable JsonNode type) {
    if (type == null) {
      return List.of();
    }
    var words = new ArrayList<String>();
    (type.isArray() ? type : List.of(type)).forEach(word -> words.add(word.asString()));
    return words;
  }

  private static String below(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
