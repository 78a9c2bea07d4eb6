package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.InnerCalls;
import dev.hapax.app.http.Problem;
import dev.hapax.app.mcp.tool.ToolResult.Outcome;
import java.util.Set;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Turns answers of routes into results of tools. */
final class ToolAnswers {
  /** A link decides without a token, so no agent gets one. */
  private static final Set<String> LINKS = Set.of("link");

  private ToolAnswers() {}

  /** A preview of what was read, or the refusal. */
  static ToolResult read(AgentCall call, InnerCalls.Answer answer) {
    if (!answer.isFine()) {
      return refused(answer);
    }
    String pointer = call.textOrNull("pointer");
    JsonNode shown = withoutLinks(answer.body());
    if (pointer != null) {
      shown = at(shown, pointer);
    }
    return of(shown, pointer == null ? Preview.USUAL : Preview.LARGE);
  }

  private static JsonNode at(JsonNode body, String pointer) {
    try {
      JsonNode found = body.at(JsonPointer.compile(pointer));
      if (!found.isMissingNode()) {
        return found;
      }
    } catch (IllegalArgumentException e) {
      // the same answer
    }
    throw Problem.invalidInput(
        "argument 'pointer': '%s' leads nowhere. Call the tool without it to see what there is."
            .formatted(pointer));
  }

  /** A preview of this value. */
  static ToolResult of(JsonNode value, int most) {
    Preview preview = Preview.of(value, most);
    ObjectNode data = object(preview.value());
    String sentence =
        preview.isWhole()
            ? "Complete."
            : "A preview: the whole has %,d characters. Ask for a part with 'pointer', or for fewer items with 'limit'."
                .formatted(preview.bytes());
    return ToolResult.of(sentence, data, false, Outcome.DONE);
  }

  /** Structured content is always an object. */
  static ObjectNode object(JsonNode value) {
    if (value instanceof ObjectNode object) {
      return object;
    }
    ObjectNode wrapped = JsonNodeFactory.instance.objectNode();
    wrapped.set("value", value);
    return wrapped;
  }

  static ToolResult refused(InnerCalls.Answer answer) {
    return refused(answer, "");
  }

  /** The refusal of a route, and what to do. */
  static ToolResult refused(InnerCalls.Answer answer, String advice) {
    JsonNode problem = answer.body();
    String retry = answer.headers().getOrDefault("Retry-After", "");
    String wait =
        retry.isEmpty()
            ? ""
            : " Call again in %s s with the same arguments: that is safe.".formatted(retry);
    return ToolResult.of(
        "Refused (%s): %s%s%s"
            .formatted(
                problem.path("type").asString("").replaceAll(".*/", ""),
                problem.path("detail").asString(""),
                wait,
                advice.isEmpty() ? "" : " " + advice),
        Preview.of(problem, Preview.USUAL).value(),
        true,
        Outcome.REFUSED);
  }

  static JsonNode withoutLinks(JsonNode node) {
    if (node instanceof ObjectNode object && !object.isEmpty()) {
      ObjectNode copy = object.deepCopy();
      strip(copy);
      return copy;
    }
    return node;
  }

  /** Only where an approval has its link: names inside of values are the author's. */
  private static void strip(ObjectNode node) {
    if (node.has("roles") && node.has("state")) {
      node.remove(LINKS);
    }
    for (JsonNode item : node.path("items")) {
      if (item instanceof ObjectNode one) {
        strip(one);
      }
    }
  }
}
