package dev.hapax.flows.file;

import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Shapes;
import dev.hapax.flows.yaml.Type;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The JSON Schema of flow files, for editors; generated from the same shapes that the reader uses.
 * It is published as the resource {@code flow.schema.json} beside this class.
 */
public final class FlowSchema {
  /** The resource that contains it. */
  public static final String RESOURCE = "flow.schema.json";

  private static final String EXPRESSION = "\\$\\{";

  private FlowSchema() {}

  /** Returns the published schema: the text of a JSON document. */
  public static String text() {
    try (InputStream schema = FlowSchema.class.getResourceAsStream(RESOURCE)) {
      return new String(
          Objects.requireNonNull(schema, RESOURCE).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the schema as maps and lists.
   *
   * @param examples values by shape and key, as {@code retry.delay}; the published ones come from
   *     the example files
   */
  static Map<String, Object> value(Map<String, List<Object>> examples) {
    return of(
        "Hapax flow file",
        "A flow of Hapax: what starts it, its steps, and what makes each repeat safe.",
        FlowShapes.ALL,
        FlowShapes.FLOW,
        examples);
  }

  /**
   * Returns the schema of a kind of file as maps and lists.
   *
   * @param root the shape of the whole file
   */
  public static Map<String, Object> of(
      String title, String description, Shapes shapes, String root) {
    return of(title, description, shapes, root, Map.of());
  }

  private static Map<String, Object> of(
      String title,
      String description,
      Shapes shapes,
      String root,
      Map<String, List<Object>> examples) {
    var schema = new LinkedHashMap<String, Object>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", title);
    schema.put("description", description);
    schema.putAll(object(shapes.named(root), examples));
    var definitions = new LinkedHashMap<String, Object>();
    for (Shape shape : shapes.all()) {
      if (!shape.name().equals(root)) {
        definitions.put(shape.name(), object(shape, examples));
      }
    }
    schema.put("$defs", definitions);
    return schema;
  }

  /** Returns the page of all keys, for people. */
  public static String page() {
    return page(FlowShapes.ALL);
  }

  /** Returns the page of all keys of a kind of file. */
  public static String page(Shapes shapes) {
    var page = new StringBuilder();
    for (Shape shape : shapes.all()) {
      if (shape.fields().isEmpty()) {
        continue;
      }
      page.append("\n## ")
          .append(shape.name())
          .append("\n\n| key | value | meaning |\n|---|---|---|\n");
      for (Shape.Field field : shape.fields().values()) {
        page.append(
            "| `%s`%s | %s | %s |%n"
                .formatted(
                    field.name(),
                    field.required() ? " (required)" : "",
                    words(field.type()),
                    field.doc()));
      }
      if (!shape.alternatives().isEmpty()) {
        page.append("\nExactly one of: `")
            .append(String.join("`, `", shape.alternatives()))
            .append(
                shape.instead() == null
                    ? "`.\n"
                    : "`, or %s.\n".formatted(inside(shape.instead())));
      }
    }
    return page.toString().replace("\r\n", "\n");
  }

  private static String inside(Shape.Instead instead) {
    return "`%s` with `%s`".formatted(instead.field(), instead.member());
  }

  private static String words(Type type) {
    return switch (type) {
      case Type.Text _ -> "text";
      case Type.Words words -> "`" + String.join("`, `", words.words()) + "`";
      case Type.Templated _ -> "text with `${ }`";
      case Type.Condition _ -> "`true`, `false` or `${ }`";
      case Type.Time _ -> "duration";
      case Type.Whole whole -> "%d to %d".formatted(whole.least(), whole.most());
      case Type.Real real -> "%.0f to %.0f".formatted(real.least(), real.most());
      case Type.Flag _ -> "`true` or `false`";
      case Type.Value _ -> "any value with `${ }`";
      case Type.Members _ -> "mapping with `${ }`";
      case Type.Schema _ -> "JSON Schema";
      case Type.Texts _ -> "list of texts";
      case Type.DistinctTexts texts -> "list of at most %d texts".formatted(texts.most());
      case Type.Statuses _ -> "list of status codes";
      case Type.Of of -> link(of.shape());
      case Type.ListOf list -> "list of " + link(list.shape());
      case Type.Branches branches -> "names, each with a list of " + link(branches.shape());
      case Type.WordOr either ->
          "`" + String.join("`, `", either.words()) + "` or " + link(either.shape());
      case Type.TemplatedOr either -> "text with `${ }` or " + link(either.shape());
      case Type.Plain _ -> "any value";
      case Type.Named named -> "names, each with " + words(named.each());
      case Type.OneOrMany many -> "%s, or a list of them".formatted(link(many.shape()));
    };
  }

  private static String link(String shape) {
    return "[%s](#%s)".formatted(shape, shape.toLowerCase(Locale.ROOT));
  }

  private static Map<String, Object> object(Shape shape, Map<String, List<Object>> examples) {
    var properties = new LinkedHashMap<String, Object>();
    var required = new ArrayList<String>();
    for (Shape.Field field : shape.fields().values()) {
      var property = new LinkedHashMap<>(schemaOf(field.type()));
      property.put("description", field.doc());
      List<Object> shown = examples.get(shape.name() + "." + field.name());
      if (shown != null) {
        property.put("examples", shown);
      }
      properties.put(field.name(), property);
      if (field.required()) {
        required.add(field.name());
      }
    }
    var object = new LinkedHashMap<String, Object>();
    object.put("type", "object");
    object.put("properties", properties);
    if (!required.isEmpty()) {
      object.put("required", required);
    }
    if (!shape.alternatives().isEmpty()) {
      object.put("oneOf", alternatives(shape));
    }
    object.put("additionalProperties", false);
    return object;
  }

  private static List<Map<String, Object>> alternatives(Shape shape) {
    var alternatives = new ArrayList<Map<String, Object>>();
    shape.alternatives().forEach(name -> alternatives.add(Map.of("required", List.of(name))));
    Shape.Instead instead = shape.instead();
    if (instead != null) {
      Map<String, Object> inside = ordered("type", "object", "required", List.of(instead.member()));
      alternatives.add(
          ordered(
              "required", List.of(instead.field()),
              "properties", Map.of(instead.field(), inside)));
    }
    return alternatives;
  }

  private static Map<String, Object> schemaOf(Type type) {
    return switch (type) {
      case Type.Text text -> text(text.pattern());
      case Type.Words words -> Map.of("enum", words.words());
      case Type.Templated _ -> Map.of("type", List.of("string", "number", "boolean"));
      case Type.Condition _ ->
          either(
              Map.of("type", "boolean"),
              ordered("type", "string", "pattern", "^\\s*" + EXPRESSION));
      case Type.Time _ ->
          ordered("type", "string", "pattern", "^(([0-9]{1,12}(ms|s|m|h|d|w))+|P.+)$");
      case Type.Whole whole ->
          ordered("type", "integer", "minimum", whole.least(), "maximum", whole.most());
      case Type.Real real ->
          ordered("type", "number", "minimum", real.least(), "maximum", real.most());
      case Type.Flag _ -> Map.of("type", "boolean");
      case Type.Value _ -> Map.of();
      case Type.Members _ -> Map.of("type", "object");
      case Type.Schema _ -> Map.of("type", "object"); // an address would need a network
      case Type.Texts _ -> ordered("type", "array", "items", Map.of("type", "string"));
      case Type.DistinctTexts texts ->
          ordered(
              "type",
              "array",
              "maxItems",
              texts.most(),
              "uniqueItems",
              true,
              "items",
              text(texts.each().pattern()));
      case Type.Statuses _ ->
          ordered(
              "type", "array", "items", ordered("type", "integer", "minimum", 100, "maximum", 599));
      case Type.Of of -> ref(of.shape());
      case Type.ListOf list -> ordered("type", "array", "minItems", 1, "items", ref(list.shape()));
      case Type.Branches branches ->
          ordered(
              "type",
              "object",
              "minProperties",
              1,
              "additionalProperties",
              ordered("type", "array", "minItems", 1, "items", ref(branches.shape())));
      case Type.WordOr words -> either(Map.of("enum", words.words()), ref(words.shape()));
      case Type.TemplatedOr templated -> either(Map.of("type", "string"), ref(templated.shape()));
      case Type.Plain _ -> Map.of();
      case Type.Named named ->
          ordered("type", "object", "additionalProperties", schemaOf(named.each()));
      case Type.OneOrMany many ->
          either(ref(many.shape()), ordered("type", "array", "items", ref(many.shape())));
    };
  }

  private static Map<String, Object> text(@Nullable String pattern) {
    Map<String, Object> schema = ordered("type", List.of("string", "number", "boolean"));
    if (pattern != null) {
      schema.put("pattern", "^" + pattern + "$");
    }
    return schema;
  }

  private static Map<String, Object> ref(String shape) {
    return Map.of("$ref", "#/$defs/" + shape);
  }

  private static Map<String, Object> either(Map<String, Object> one, Map<String, Object> other) {
    return Map.of("anyOf", List.of(one, other));
  }

  /** Keeps the order, so that the published text is the same on every build. */
  private static Map<String, Object> ordered(Object... namesAndValues) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
