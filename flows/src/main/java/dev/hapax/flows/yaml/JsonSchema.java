package dev.hapax.flows.yaml;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.keyword.NonValidationKeyword;
import com.networknt.schema.regex.RegularExpression;
import dev.hapax.json.HugeNumber;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A JSON Schema (2020-12) of a flow file, which checks inputs and callbacks. */
public final class JsonSchema {
  private static final int MOST_SHOWN = 10;
  private static final Set<String> TYPES =
      Set.of("string", "number", "integer", "boolean", "object", "array", "null");

  /** As for expressions: a larger pattern takes too long for every character of a value. */
  private static final int LARGEST_PATTERN = 2_000;

  /** Our own keyword: the value is personal data. */
  private static final String PERSONAL = "personal";

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(
          Dialect.builder(Dialects.getDraft202012())
              .keyword(new NonValidationKeyword(PERSONAL))
              .build(),
          builder ->
              builder.schemaRegistryConfig(
                  SchemaRegistryConfig.builder()
                      .regularExpressionFactory(JsonSchema::regularExpression)
                      .build()));

  private final JsonNode source;
  private final Schema schema;

  private JsonSchema(JsonNode source, Schema schema) {
    this.source = source;
    this.schema = schema;
  }

  /** Throws IllegalArgumentException with the reason if it is not a schema. */
  public static JsonSchema of(JsonNode source) {
    SchemaReferences.check(source);
    refuseUnknownTypes(source);
    HugeNumber huge = HugeNumber.in(source);
    if (huge != null) {
      throw new IllegalArgumentException(huge.toString());
    }
    try {
      Schema schema = REGISTRY.getSchema(source);
      schema.initializeValidators();
      return new JsonSchema(source, schema);
    } catch (RuntimeException | StackOverflowError e) {
      throw new IllegalArgumentException(reason(e), e);
    }
  }

  /** Ours is kept; the library's own words become ours. */
  private static String reason(Throwable e) {
    for (Throwable at = e; at != null; at = at.getCause()) {
      if (at instanceof BadPattern) {
        return String.valueOf(at.getMessage());
      }
    }
    return String.valueOf(e.getMessage()).contains("resolved")
        ? "a $ref in it names nothing in this file"
        : "a keyword in it has a value of the wrong kind";
  }

  /** Thrown through the library, which wraps it. */
  private static final class BadPattern extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    BadPattern(String message) {
      super(message);
    }
  }

  /**
   * Uses RE2, whose time depends only on the length of the value: with a value chosen by a caller,
   * a pattern like {@code (a+)+$} would keep java.util.regex busy for years.
   */
  private static RegularExpression regularExpression(String text) {
    Pattern pattern;
    try {
      pattern = Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new BadPattern(
          "pattern '%s' cannot be read: its brackets do not fit, or it uses look-around or back references, which are not supported"
              .formatted(shortened(text)));
    }
    if (pattern.programSize() > LARGEST_PATTERN) {
      throw new BadPattern(
          "pattern '%s' is too large: expected at most %,d instructions, got %,d"
              .formatted(shortened(text), LARGEST_PATTERN, pattern.programSize()));
    }
    return value -> pattern.matcher(value).find();
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }

  private static void refuseUnknownTypes(JsonNode schema) {
    JsonNode type = schema.get("type");
    for (JsonNode word :
        type == null ? List.<JsonNode>of() : type.isArray() ? type : List.of(type)) {
      if (!word.isString() || !TYPES.contains(word.stringValue())) {
        throw new IllegalArgumentException(
            "'%s' is not a type of JSON Schema"
                .formatted(word.isString() ? word.stringValue() : word));
      }
    }
    JsonNode personal = schema.get(PERSONAL);
    if (personal != null && !personal.isBoolean()) {
      throw new IllegalArgumentException(
          "'%s' says whether a value is personal data: expected true or false".formatted(PERSONAL));
    }
    for (String group : List.of("properties", "$defs", "patternProperties")) {
      for (JsonNode inner : schema.path(group)) {
        refuseUnknownTypes(inner);
      }
    }
    for (String single : List.of("items", "additionalProperties", "not")) {
      if (schema.path(single).isObject()) {
        refuseUnknownTypes(schema.get(single));
      }
    }
  }

  public JsonNode source() {
    return source;
  }

  /** Returns the paths of the members that are marked as personal data. */
  public List<List<String>> personal() {
    var found = new ArrayList<List<String>>();
    addPersonal(source, List.of(), found);
    return found;
  }

  private static void addPersonal(JsonNode schema, List<String> path, List<List<String>> found) {
    if (schema.path(PERSONAL).asBoolean(false)) {
      found.add(path);
    }
    for (Map.Entry<String, JsonNode> member : schema.path("properties").properties()) {
      var inner = new ArrayList<>(path);
      inner.add(member.getKey());
      addPersonal(member.getValue(), List.copyOf(inner), found);
    }
    if (schema.path("items").isObject()) {
      addPersonal(schema.get("items"), path, found);
    }
  }

  /**
   * Returns why the value does not fit; empty if it does. Callers choose the value, so a huge
   * number fits no schema: {@code multipleOf} would write it out.
   */
  public List<String> problems(@Nullable Object value) {
    JsonNode tree = Json.tree(value == null ? "null" : Json.write(value));
    HugeNumber huge = HugeNumber.in(tree);
    if (huge != null) {
      return List.of(huge.path().isEmpty() ? huge.toString() : huge.path() + " " + huge);
    }
    var problems = new ArrayList<String>();
    for (Error error : errors(tree)) {
      String where = error.getInstanceLocation().toString();
      problems.add(where.isEmpty() ? error.getMessage() : where + " " + error.getMessage());
      if (problems.size() == MOST_SHOWN) {
        break;
      }
    }
    return problems;
  }

  /** The reason is the schema, but the value must not pass unchecked. */
  private List<Error> errors(JsonNode value) {
    try {
      return schema.validate(value);
    } catch (RuntimeException | StackOverflowError e) {
      return List.of(
          Error.builder()
              .message(
                  "the value cannot be compared with its schema: %s"
                      .formatted(e.getClass().getSimpleName()))
              .build());
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonSchema schema && source.equals(schema.source);
  }

  @Override
  public int hashCode() {
    return Map.entry("schema", source).hashCode();
  }
}
