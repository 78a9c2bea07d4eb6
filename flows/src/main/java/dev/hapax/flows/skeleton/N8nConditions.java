package dev.hapax.flows.skeleton;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Translates the comparisons of the nodes "If" and "Switch". */
final class N8nConditions {
  private static final Map<String, String> OPERATORS =
      Map.ofEntries(
          Map.entry("equals", "=="),
          Map.entry("equal", "=="),
          Map.entry("notequals", "!="),
          Map.entry("notequal", "!="),
          Map.entry("larger", ">"),
          Map.entry("gt", ">"),
          Map.entry("largerequal", ">="),
          Map.entry("gte", ">="),
          Map.entry("smaller", "<"),
          Map.entry("lt", "<"),
          Map.entry("smallerequal", "<="),
          Map.entry("lte", "<="));

  private static final Map<String, String> FUNCTIONS =
      Map.of(
          "contains", "%s.contains(%s)",
          "notcontains", "!%s.contains(%s)",
          "startswith", "%s.startsWith(%s)",
          "notstartswith", "!%s.startsWith(%s)",
          "endswith", "%s.endsWith(%s)",
          "notendswith", "!%s.endsWith(%s)");

  private final N8nExpressions expressions;

  N8nConditions(N8nExpressions expressions) {
    this.expressions = expressions;
  }

  /** Returns the condition of a group; null if a part of it cannot be translated. */
  @Nullable String of(JsonNode group, String combineOperation) {
    var parts = new ArrayList<@Nullable String>();
    if (group.path("conditions").isArray()) {
      for (JsonNode one : group.path("conditions")) {
        String operation = one.path("operator").path("operation").asString("equals");
        parts.add(comparison(one.path("leftValue"), operation, one.path("rightValue")));
      }
      return joined(parts, group.path("combinator").asString("and").equals("or"));
    }
    for (Map.Entry<String, JsonNode> type : group.properties()) {
      for (JsonNode one : type.getValue()) {
        String usual = type.getKey().equals("number") ? "smaller" : "equal";
        String operation = one.path("operation").asString(usual);
        parts.add(comparison(one.path("value1"), operation, one.path("value2")));
      }
    }
    return joined(parts, combineOperation.equals("any"));
  }

  @Nullable String comparison(JsonNode left, String operation, JsonNode right) {
    String one = expressions.operand(left);
    String name = operation.toLowerCase(Locale.ROOT);
    if (one == null) {
      return null;
    }
    switch (name) {
      case "true" -> {
        return one + " == true";
      }
      case "false" -> {
        return one + " == false";
      }
      case "isempty", "empty" -> {
        return one + " == ''";
      }
      case "isnotempty", "notempty" -> {
        return one + " != ''";
      }
      default -> {}
    }
    String other = expressions.operand(right);
    if (other == null) {
      return null;
    }
    String operator = OPERATORS.get(name);
    if (operator != null) {
      return "%s %s %s".formatted(one, operator, other);
    }
    String function = FUNCTIONS.get(name);
    return function == null ? null : function.formatted(one, other);
  }

  private static @Nullable String joined(List<@Nullable String> parts, boolean any) {
    if (parts.isEmpty()) {
      return null;
    }
    var known = new ArrayList<String>();
    for (String part : parts) {
      if (part == null) {
        return null;
      }
      known.add(part);
    }
    return String.join(any ? " || " : " && ", known);
  }
}
