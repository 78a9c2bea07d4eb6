package dev.hapax.flows.skeleton;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Translates the simple expressions of n8n: a path below {@code $json}, or below a node that came
 * before. Everything else stays as text, for a person.
 */
final class N8nExpressions {
  private static final Pattern PIECE = Pattern.compile("\\{\\{(.*?)}}", Pattern.DOTALL);
  private static final Pattern PATH =
      Pattern.compile(
          "(\\$json|\\$node\\[(?:\"([^\"]+)\"|'([^']+)')]\\.json"
              + "|\\$\\((?:\"([^\"]+)\"|'([^']+)')\\)\\.(?:item|first\\(\\)|last\\(\\))\\.json)"
              + "((?:\\.[A-Za-z_][A-Za-z0-9_]*|\\[\"[^\"\\\\]+\"]|\\['[^'\\\\]+']|\\[[0-9]{1,6}])*)");
  private static final Pattern MEMBER =
      Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_]*)|\\[[\"']([^\"']+)[\"']]|\\[([0-9]+)]");
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,15}(\\.[0-9]{1,15})?");
  private static final int LONGEST = 2_000;
  private static final int LONGEST_TEXT = 9_000;
  private static final int DEEPEST = 10;

  /** The items of a webhook node: {@code body}, {@code query}, {@code headers}, {@code params}. */
  static final String WEBHOOK = "webhook";

  /** Where the items of nodes that came before are found; null where it is unknown. */
  private final Map<String, @Nullable String> known = new LinkedHashMap<>();

  private @Nullable String current;
  private String unit = "input";

  N8nExpressions() {}

  private N8nExpressions(N8nExpressions outer) {
    this.known.putAll(outer.known);
    this.current = outer.current;
    this.unit = outer.unit;
  }

  /** Returns what a branch begins with; what it adds stays inside of it. */
  N8nExpressions inside() {
    return new N8nExpressions(this);
  }

  /** Says where the items of a node are, which are now the current ones. */
  void now(String node, @Nullable String place) {
    known.put(node, place);
    current = place;
  }

  /** Says that what follows is done for each item. */
  void perItem() {
    unit = "item";
  }

  /** What one effect is about: the input, or an item of it. */
  String unit() {
    return unit;
  }

  @Nullable String current() {
    return current;
  }

  /** A value for a flow, and the expressions that could not be translated. */
  record Translated(@Nullable Object value, List<String> left) {}

  /** Translates a parameter. */
  Translated value(JsonNode json) {
    var left = new ArrayList<String>();
    return new Translated(value(json, left, 0), left);
  }

  private @Nullable Object value(JsonNode json, List<String> left, int depth) {
    if (depth > DEEPEST) {
      left.add("a value that is nested too deeply");
      return "TODO";
    }
    if (json.isString()) {
      return text(json.asString(), left);
    }
    if (json.isNumber() && json.asString().length() > 30) {
      return json.asString();
    }
    if (json.isNumber()) {
      return json.isIntegralNumber() ? json.bigIntegerValue() : json.decimalValue();
    }
    if (json.isBoolean()) {
      return json.asBoolean();
    }
    if (json.isArray()) {
      var list = new ArrayList<@Nullable Object>();
      json.forEach(element -> list.add(value(element, left, depth + 1)));
      return list;
    }
    if (json.isObject()) {
      var map = new LinkedHashMap<String, @Nullable Object>();
      json.properties()
          .forEach(
              member ->
                  map.put(
                      N8nNotes.place(member.getKey()),
                      member(member.getKey(), member.getValue(), left, depth)));
      return map;
    }
    return null;
  }

  private @Nullable Object member(String name, JsonNode value, List<String> left, int depth) {
    if (Sensitive.isName(name) && value.isValueNode()) {
      left.add("the value of '%s', which may be a credential".formatted(name));
      return Sensitive.HIDDEN;
    }
    return value(value, left, depth + 1);
  }

  /** Translates a text; one that does not begin with = has no expressions. */
  String text(String given, List<String> left) {
    if (given.length() > LONGEST_TEXT) {
      left.add("a text of %,d characters".formatted(given.length()));
      return "TODO";
    }
    String safe = Sensitive.address(given);
    if (!safe.startsWith("=")) {
      return SkeletonYaml.literal(safe);
    }
    var text = new StringBuilder();
    int at = 1;
    Matcher pieces = PIECE.matcher(safe);
    while (pieces.find()) {
      text.append(SkeletonYaml.literal(safe.substring(at, pieces.start())));
      String path = path(pieces.group(1).strip());
      if (path == null) {
        left.add(pieces.group(1).strip());
        text.append("TODO");
      } else {
        text.append("${").append(path).append('}');
      }
      at = pieces.end();
    }
    return text.append(SkeletonYaml.literal(safe.substring(at))).toString();
  }

  /** Returns one side of a comparison; null if it cannot be translated. */
  @Nullable String operand(JsonNode json) {
    String given = json.asString("");
    if (!json.isString()) {
      return json.isNumber() || json.isBoolean() ? given : null;
    }
    if (!given.startsWith("=")) {
      return quoted(given);
    }
    Matcher piece = PIECE.matcher(given.substring(1).strip());
    return piece.matches() ? path(piece.group(1).strip()) : null;
  }

  /** Returns a text of an expression of ours. */
  static String quoted(String text) {
    return "'" + text.replaceAll("[\\\\'\\p{Cntrl}]", " ").replace("${", "$ {") + "'";
  }

  private @Nullable String path(String expression) {
    if (NUMBER.matcher(expression).matches()) {
      return expression;
    }
    Matcher path = PATH.matcher(expression);
    if (expression.length() > LONGEST || !path.matches()) {
      return null;
    }
    String place = path.group(1).equals("$json") ? current : known.get(nodeOf(path));
    if (place == null) {
      return null;
    }
    var translated = new StringBuilder();
    Matcher members = MEMBER.matcher(path.group(6));
    boolean isFirst = true;
    while (members.find()) {
      String name = members.group(1) != null ? members.group(1) : members.group(2);
      boolean isBody = place.equals(WEBHOOK) && isFirst;
      if (isBody && !"body".equals(name)) {
        return null; // query and headers of a request are not part of the input
      }
      if (!isBody) {
        translated.append(name == null ? "[" + members.group(3) + "]" : member(name));
      }
      isFirst = false;
    }
    if (place.equals(WEBHOOK)) {
      return isFirst ? null : "input" + translated;
    }
    return place + translated;
  }

  private static String member(String name) {
    return SkeletonNames.isField(name) ? "." + name : "[" + quoted(name) + "]";
  }

  private static String nodeOf(Matcher path) {
    for (int group = 2; group <= 5; group++) {
      if (path.group(group) != null) {
        return path.group(group);
      }
    }
    return "";
  }
}
