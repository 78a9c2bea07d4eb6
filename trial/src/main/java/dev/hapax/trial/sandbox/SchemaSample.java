package dev.hapax.trial.sandbox;

import dev.hapax.flows.yaml.JsonSchema;
import dev.hapax.json.Json;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Makes a value that fits a schema: its {@code const}, {@code default} or first example, or else a
 * small value. Numbers are not 0 and lists are not empty if that is allowed, so that conditions and
 * loops of a flow have something to do.
 */
public final class SchemaSample {
  private static final int DEEPEST = 12;
  private static final int ITEMS = 2;

  /** Below it lists are as short as allowed: a schema may refer to itself. */
  private static final int SHALLOW = 3;

  /** A value need not fit a schema that wants more; then no input can be made. */
  private static final int MOST_ITEMS = 1_000;

  private static final int MOST_CHARACTERS = 100_000;
  private static final String[] BY_WORD = {
    "email", "ann@example.org",
    "date-time", "2026-01-02T03:04:05Z",
    "date", "2026-01-02",
    "time", "03:04:05Z",
    "day", "2026-01-02",
    "uuid", "0b0a3c52-7f4c-4f6e-9c61-0d9d5d4c2b1a",
    "uri", "https://example.org/1",
    "url", "https://example.org/1",
    "hostname", "example.org",
    "ipv4", "192.0.2.1",
    "country", "DE",
    "currency", "EUR"
  };

  private final JsonNode root;

  private SchemaSample(JsonNode root) {
    this.root = root;
  }

  /** Returns a text for a member of this name. */
  public static String text(String name) {
    String known = known(name.toLowerCase(Locale.ROOT));
    return known == null ? name + "-1" : known;
  }

  /** Returns a value that fits, as Java maps, lists and scalars; an empty object for no schema. */
  public static @Nullable Object of(@Nullable JsonSchema schema) {
    return schema == null
        ? Map.of()
        : new SchemaSample(schema.source()).value(schema.source(), "value", 1, 0);
  }

  /**
   * @param name of the member that it is for
   * @param number of the item that it is in
   */
  private @Nullable Object value(JsonNode given, String name, int number, int depth) {
    JsonNode schema = resolved(given);
    for (String known : List.of("const", "default")) {
      if (schema.has(known)) {
        return plain(schema.get(known));
      }
    }
    for (String list : List.of("examples", "enum")) {
      JsonNode values = schema.path(list);
      if (!values.isEmpty()) {
        return plain(values.get(Math.min(number, values.size()) - 1));
      }
    }
    for (String choice : List.of("oneOf", "anyOf")) {
      if (!schema.path(choice).isEmpty() && depth < DEEPEST) {
        return value(schema.path(choice).get(0), name, number, depth + 1);
      }
    }
    return switch (typeOf(schema)) {
      case "object" -> object(schema, number, depth);
      case "array" -> array(schema, name, depth);
      case "integer" -> number(schema, true);
      case "number" -> number(schema, false);
      case "boolean" -> true;
      case "null" -> null;
      default -> text(schema, name, number);
    };
  }

  private JsonNode resolved(JsonNode schema) {
    JsonNode at = schema;
    for (int i = 0; i < DEEPEST && at.path("$ref").isString(); i++) {
      String reference = at.path("$ref").asString("");
      at = reference.startsWith("#/") ? root.at(reference.substring(1)) : root;
    }
    return at;
  }

  private static String typeOf(JsonNode schema) {
    JsonNode type = schema.path("type");
    if (type.isString()) {
      return type.stringValue();
    }
    if (type.isArray() && !type.isEmpty()) {
      return type.get(0).asString("");
    }
    return schema.has("properties") || schema.has("required")
        ? "object"
        : schema.has("items") ? "array" : schema.has("minimum") ? "number" : "string";
  }

  /** All members that it names. */
  private Map<String, @Nullable Object> object(JsonNode schema, int number, int depth) {
    Map<String, @Nullable Object> made = new LinkedHashMap<>();
    if (depth >= DEEPEST) {
      return made;
    }
    Set<String> names = new LinkedHashSet<>();
    schema.path("required").forEach(name -> names.add(name.asString("")));
    JsonNode members = schema.path("properties");
    names.addAll(members.propertyNames());
    for (String name : names) {
      made.put(name, value(members.path(name), name, number, depth + 1));
    }
    for (JsonNode part : schema.path("allOf")) {
      if (value(part, "value", number, depth + 1) instanceof Map<?, ?> more) {
        more.forEach((name, value) -> made.putIfAbsent(String.valueOf(name), value));
      }
    }
    return made;
  }

  private List<@Nullable Object> array(JsonNode schema, String name, int depth) {
    int least = schema.path("minItems").asInt(0);
    int most = Math.min(MOST_ITEMS, schema.path("maxItems").asInt(MOST_ITEMS));
    int count =
        depth < DEEPEST ? Math.min(most, depth < SHALLOW ? Math.max(least, ITEMS) : least) : 0;
    List<@Nullable Object> made = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      made.add(value(schema.path("items"), name, i, depth + 1));
    }
    return made;
  }

  private static Number number(JsonNode schema, boolean isWhole) {
    BigDecimal step =
        schema.has("multipleOf") ? schema.get("multipleOf").decimalValue() : BigDecimal.ONE;
    BigDecimal value = step;
    if (schema.has("minimum")) {
      value = value.max(schema.get("minimum").decimalValue());
    }
    if (schema.has("exclusiveMinimum")) {
      value = value.max(schema.get("exclusiveMinimum").decimalValue().add(step));
    }
    if (schema.has("maximum")) {
      value = value.min(schema.get("maximum").decimalValue());
    }
    if (schema.has("exclusiveMaximum")) {
      value = value.min(schema.get("exclusiveMaximum").decimalValue().subtract(step));
    }
    if (schema.has("multipleOf")) {
      value = value.divide(step, 0, RoundingMode.CEILING).multiply(step);
    }
    if (isWhole || value.stripTrailingZeros().scale() <= 0) {
      return value.setScale(0, RoundingMode.CEILING).longValue();
    }
    return value.doubleValue();
  }

  private static String text(JsonNode schema, String name, int number) {
    String made = known(schema.path("format").asString(""));
    if (made == null) {
      made = known(name.toLowerCase(Locale.ROOT));
    }
    if (made == null) {
      made = name + "-" + number;
    }
    int least = schema.path("minLength").asInt(0);
    int most = schema.path("maxLength").asInt(Integer.MAX_VALUE);
    if (made.length() < least) {
      made = made + "x".repeat(Math.min(MOST_CHARACTERS, least - made.length()));
    }
    return made.length() <= most ? made : made.substring(made.length() - most);
  }

  private static @Nullable String known(String word) {
    for (int i = 0; i < BY_WORD.length; i += 2) {
      if (word.equals(BY_WORD[i])) {
        return BY_WORD[i + 1];
      }
    }
    return null;
  }

  private static @Nullable Object plain(JsonNode value) {
    return Json.read(value.toString(), Object.class);
  }
}
