package dev.hapax.app.mcp.tool;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One call of a tool.
 *
 * @param caller the request that carries it
 * @param arguments as the model gave them
 * @param key the idempotency key beside the arguments; null if there is none
 */
public record AgentCall(Call caller, ObjectNode arguments, @Nullable String key) {
  /** Returns a text among the arguments. */
  public String text(String name) {
    String value = textOrNull(name);
    if (value == null || value.isBlank()) {
      throw Problem.invalidInput("argument '%s': expected a text, got nothing".formatted(name));
    }
    return value;
  }

  /** Returns a text, number or truth value as text; null if it was not given. */
  public @Nullable String textOrNull(String name) {
    JsonNode value = arguments.get(name);
    if (value == null || value.isNull()) {
      return null;
    }
    if (value.isContainer()) {
      throw Problem.invalidInput(
          "argument '%s': expected a text, got %s"
              .formatted(name, value.isArray() ? "a list" : "an object"));
    }
    return value.asString();
  }

  /** Returns an argument of any type; null if it was not given. */
  public @Nullable JsonNode value(String name) {
    JsonNode value = arguments.get(name);
    return value == null || value.isNull() ? null : value;
  }

  public boolean flag(String name) {
    return "true".equals(textOrNull(name));
  }
}
