package dev.hapax.flows.expression;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * CEL's types of an input, from its JSON Schema. A field that the schema does not have, or a text
 * in arithmetic, is therefore refused before anything runs. What the schema leaves open stays open.
 */
final class InputTypes implements CelTypeProvider {
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final CelType OPEN = MapType.create(SimpleType.STRING, SimpleType.DYN);

  private final ImmutableMap<String, CelType> types;
  private final CelType input;

  InputTypes(@Nullable JsonNode schema) {
    var found = new LinkedHashMap<String, CelType>();
    this.input = schema == null ? SimpleType.DYN : typeOf(schema, "input", found);
    this.types = ImmutableMap.copyOf(found);
  }

  CelType input() {
    return input;
  }

  /** All fields of all objects in it, for suggestions. */
  Set<String> fields() {
    var names = new TreeSet<String>();
    for (CelType type : types.values()) {
      names.addAll(((StructType) type).fieldNames());
    }
    return names;
  }

  private static CelType typeOf(JsonNode schema, String name, Map<String, CelType> found) {
    JsonNode type = schema.get("type");
    if (type == null || !type.isString() || schema.has("$ref")) {
      return SimpleType.DYN;
    }
    return switch (type.stringValue()) {
      case "string" -> SimpleType.STRING;
      case "integer" -> SimpleType.INT;
      case "boolean" -> SimpleType.BOOL;
      case "array" ->
          ListType.create(
              schema.has("items")
                  ? typeOf(schema.get("items"), name + ".item", found)
                  : SimpleType.DYN);
      case "object" -> objectOf(schema, name, found);
      default -> SimpleType.DYN; // a JSON number may be whole or not
    };
  }

  private static CelType objectOf(JsonNode schema, String name, Map<String, CelType> found) {
    JsonNode properties = schema.get("properties");
    if (properties == null || !properties.isObject() || isOpen(schema)) {
      return OPEN;
    }
    var fields = new LinkedHashMap<String, CelType>();
    for (Map.Entry<String, JsonNode> property : properties.properties()) {
      fields.put(
          property.getKey(), typeOf(property.getValue(), name + "." + property.getKey(), found));
    }
    for (JsonNode required : schema.path("required")) {
      fields.putIfAbsent(required.asString(), SimpleType.DYN);
    }
    if (!fields.keySet().stream().allMatch(field -> IDENTIFIER.matcher(field).matches())) {
      return OPEN; // input['order-id'] needs a map
    }
    ImmutableMap<String, CelType> known = ImmutableMap.copyOf(fields);
    StructType struct =
        StructType.create(name, known.keySet(), field -> Optional.ofNullable(known.get(field)));
    found.put(name, struct);
    return struct;
  }

  private static boolean isOpen(JsonNode schema) {
    JsonNode others = schema.get("additionalProperties");
    return (others != null && !(others.isBoolean() && !others.booleanValue()))
        || schema.has("patternProperties")
        || schema.has("allOf")
        || schema.has("anyOf")
        || schema.has("oneOf");
  }

  @Override
  public ImmutableCollection<CelType> types() {
    return ImmutableList.copyOf(types.values());
  }

  @Override
  public Optional<CelType> findType(String name) {
    return Optional.ofNullable(types.get(name));
  }
}
