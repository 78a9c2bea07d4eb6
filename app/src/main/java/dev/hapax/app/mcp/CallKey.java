package dev.hapax.app.mcp;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The idempotency key of a call. Clients put it into different places, and a wrapper may add one to
 * the model's own, so two that differ are refused: either could be the wrong one.
 */
final class CallKey {
  private static final String NAME = "idempotencyKey";

  private CallKey() {}

  /**
   * Returns the key; null if no place has one.
   *
   * @param isArgument whether the argument of this name is the key, and no input of the tool
   */
  static @Nullable String of(Call call, McpMessage message, boolean isArgument) {
    var given = new LinkedHashMap<String, String>();
    if (isArgument) {
      put(given, "argument idempotencyKey", message.arguments().get(NAME));
    }
    put(given, "params.idempotencyKey", message.params().get(NAME));
    put(given, "params._meta.idempotencyKey", message.meta().get(NAME));
    String header = call.header("Idempotency-Key");
    if (header != null) {
      given.put("header Idempotency-Key", header);
    }
    if (new TreeSet<>(given.values()).size() > 1) {
      throw Problem.invalidInput(
          "the call has several keys that differ: %s. Give one, or the same one everywhere"
              .formatted(given));
    }
    for (Map.Entry<String, String> one : given.entrySet()) {
      if (one.getValue().isBlank()) {
        throw Problem.invalidInput("%s: expected a key, got nothing".formatted(one.getKey()));
      }
    }
    return given.isEmpty() ? null : given.values().iterator().next();
  }

  private static void put(Map<String, String> given, String place, @Nullable JsonNode value) {
    if (value == null || value.isNull()) {
      return;
    }
    if (!value.isString() && !value.isIntegralNumber()) {
      throw Problem.invalidInput("%s: expected a text".formatted(place));
    }
    given.put(place, value.asString());
  }
}
