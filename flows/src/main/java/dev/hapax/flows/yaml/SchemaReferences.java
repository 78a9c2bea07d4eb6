package dev.hapax.flows.yaml;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * Follows the references of a JSON Schema before the schema is used. A schema that refers to itself
 * for the same part of a value never ends; one that refers to itself for an inner part describes a
 * tree and is fine.
 */
final class SchemaReferences {
  private static final int LONGEST_CHAIN = 100;

  /** How many schemas may apply to one part of a value, each reference followed. */
  private static final long MOST_APPLIED = 1_000;

  private static final Set<String> NOT_SUPPORTED = Set.of("$dynamicRef", "$recursiveRef");

  /** Keywords whose schemas apply to the same part of a value: lists, single ones, named ones. */
  private static final List<String> LISTS = List.of("allOf", "anyOf", "oneOf");

  private static final List<String> SINGLE = List.of("not", "if", "then", "else");

  private final JsonNode root;
  private final IdentityHashMap<JsonNode, Long> applied = new IdentityHashMap<>();
  private final Set<JsonNode> open = Collections.newSetFromMap(new IdentityHashMap<>());

  private SchemaReferences(JsonNode root) {
    this.root = root;
  }

  /** Throws IllegalArgumentException if a reference leaves the file or never ends. */
  static void check(JsonNode schema) {
    var references = new SchemaReferences(schema);
    references.refuse(schema);
    references.followAll(schema);
  }

  /** A file is checked without the network, and a run must not depend on it. */
  private void refuse(JsonNode node) {
    for (String word : NOT_SUPPORTED) {
      if (node.has(word)) {
        throw new IllegalArgumentException(
            "'%s' is not supported; use $ref and $defs".formatted(word));
      }
    }
    JsonNode ref = node.get("$ref");
    if (ref != null && ref.isString() && !ref.stringValue().startsWith("#")) {
      throw new IllegalArgumentException(
          "'%s' is outside of this file".formatted(shortened(ref.stringValue())));
    }
    for (JsonNode inner : node) {
      refuse(inner);
    }
  }

  private void followAll(JsonNode node) {
    if (node.isObject()) {
      applied(node);
    }
    for (JsonNode inner : node) {
      followAll(inner);
    }
  }

  /** Returns how many schemas apply where this one does. */
  private long applied(JsonNode schema) {
    Long known = applied.get(schema);
    if (known != null) {
      return known;
    }
    if (!open.add(schema)) {
      throw new IllegalArgumentException(
          "$ref '%s' leads back to itself, so no value could ever be checked"
              .formatted(shortened(schema.path("$ref").asString("#"))));
    }
    if (open.size() > LONGEST_CHAIN) {
      throw new IllegalArgumentException(
          "references and alternatives are nested more than %d deep".formatted(LONGEST_CHAIN));
    }
    long sum = 1;
    for (JsonNode inner : inPlace(schema)) {
      sum += applied(inner);
      if (sum > MOST_APPLIED) {
        throw new IllegalArgumentException(
            "more than %,d schemas apply to one part of a value once references are followed"
                .formatted(MOST_APPLIED));
      }
    }
    open.remove(schema);
    applied.put(schema, sum);
    return sum;
  }

  private List<JsonNode> inPlace(JsonNode schema) {
    var all = new ArrayList<JsonNode>();
    JsonNode ref = schema.get("$ref");
    JsonNode target = ref != null && ref.isString() ? target(ref.stringValue()) : null;
    if (target != null && target.isObject()) {
      all.add(target);
    }
    for (String list : LISTS) {
      schema.path(list).forEach(all::add);
    }
    for (String single : SINGLE) {
      if (schema.path(single).isObject()) {
        all.add(schema.get(single));
      }
    }
    schema.path("dependentSchemas").forEach(all::add);
    return all;
  }

  /** Returns null if it is not a pointer, or points at nothing; the schema is refused elsewhere. */
  private @Nullable JsonNode target(String ref) {
    String pointer = ref.substring(1);
    if (!pointer.isEmpty() && !pointer.startsWith("/")) {
      return anchored(root, pointer);
    }
    try {
      JsonNode found =
          root.at(JsonPointer.compile(URLDecoder.decode(pointer, StandardCharsets.UTF_8)));
      return found.isMissingNode() ? null : found;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable JsonNode anchored(JsonNode node, String name) {
    if (node.path("$anchor").asString("").equals(name)) {
      return node;
    }
    for (JsonNode inner : node) {
      JsonNode found = anchored(inner, name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
