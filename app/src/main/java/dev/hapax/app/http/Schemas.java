package dev.hapax.app.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** JSON Schemas of the records in requests and answers, for the OpenAPI document. */
final class Schemas {
  /** Part of a record's name in Java, but not of its name in the document. */
  private static final Pattern SUFFIX = Pattern.compile("(View|Json)$");

  private final Map<String, Object> named = new TreeMap<>();
  private boolean isAsked;

  /** Returns all schemas that were referred to, by name. */
  Map<String, Object> named() {
    return named;
  }

  /** Returns the schema of a page of this type. */
  Map<String, Object> page(Class<?> type) {
    return object(
        Map.of(
            "items", Map.of("type", "array", "items", of(type)),
            "next", Map.of("type", List.of("string", "null"))),
        List.of("items", "next"));
  }

  /** Returns the schema of a request: members that may be null may be left out. */
  Map<String, Object> asked(Type type) {
    isAsked = true;
    try {
      return of(type);
    } finally {
      isAsked = false;
    }
  }

  Map<String, Object> of(Type type) {
    if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
      return Map.of("type", "array", "items", of(list.getActualTypeArguments()[0]));
    }
    if (type instanceof Class<?> known) {
      return ofClass(known);
    }
    return Map.of();
  }

  private Map<String, Object> ofClass(Class<?> type) {
    if (type == String.class) {
      return Map.of("type", "string");
    }
    if (type == Instant.class) {
      return Map.of("type", "string", "format", "date-time");
    }
    if (type == boolean.class || type == Boolean.class) {
      return Map.of("type", "boolean");
    }
    if (type == int.class || type == long.class || type == Integer.class || type == Long.class) {
      return Map.of("type", "integer");
    }
    return type.isRecord() ? reference(type) : Map.of();
  }

  private Map<String, Object> reference(Class<?> type) {
    String name = nameOf(type);
    if (!named.containsKey(name)) {
      named.put(name, Map.of()); // a record may hold itself
      named.put(name, record(type));
    }
    return Map.of("$ref", "#/components/schemas/" + name);
  }

  /** Names a nested record so that it differs from those of the same name elsewhere. */
  private static String nameOf(Class<?> type) {
    Class<?> outer = type.getEnclosingClass();
    String name =
        outer == null ? type.getSimpleName() : outer.getSimpleName() + type.getSimpleName();
    return SUFFIX.matcher(name).replaceFirst("");
  }

  private Map<String, Object> record(Class<?> type) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      properties.put(component.getName(), property(component));
      if (isAlwaysThere(type, component)) {
        required.add(component.getName());
      }
    }
    return object(properties, required);
  }

  private static Map<String, Object> object(Map<String, Object> properties, List<String> required) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    if (!required.isEmpty()) {
      schema.put("required", required);
    }
    return schema;
  }

  private Map<String, Object> property(RecordComponent component) {
    if (component.getAccessor().isAnnotationPresent(JsonRawValue.class)) {
      return Map.of(); // any JSON
    }
    Map<String, Object> schema = of(component.getGenericType());
    if (!isNullable(component) || schema.isEmpty()) {
      return schema;
    }
    if (schema.get("type") instanceof String one) {
      var either = new LinkedHashMap<>(schema);
      either.put("type", List.of(one, "null"));
      return either;
    }
    return Map.of("anyOf", List.of(schema, Map.of("type", "null")));
  }

  private static boolean isNullable(RecordComponent component) {
    return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  /** In requests a nullable member may be left out; in answers only if its annotation says so. */
  private boolean isAlwaysThere(Class<?> type, RecordComponent component) {
    if (!isNullable(component)) {
      return true;
    }
    JsonInclude own = component.getAccessor().getAnnotation(JsonInclude.class);
    JsonInclude ofType = type.getAnnotation(JsonInclude.class);
    JsonInclude rule = own != null ? own : ofType;
    return !isAsked && (rule == null || rule.value() == JsonInclude.Include.ALWAYS);
  }
}
