package dev.hapax.trial.sandbox;

import dev.hapax.flows.step.FlowStep;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A model that nobody trained. It answers with the step's {@code sample}, with what a test case
 * says, or with an answer that fits the step's schema, in the words of the dialect that it is asked
 * in.
 */
final class ModelStandIn {
  private static final int TOKENS = 10;

  private ModelStandIn() {}

  static Content answer(
      SandboxRequest request, SandboxAnswer given, FlowStep step, @Nullable Object sample) {
    int status = given.status() == null ? 200 : given.status();
    var headers = new LinkedHashMap<String, String>();
    given.headers().forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
    if (given.isFailure()) {
      return new Content(status, headers, given.hasBody() ? given.body() : Map.of());
    }
    if (given.hasBody() && isWire(given.body())) {
      return new Content(status, headers, given.body());
    }
    Object said = given.hasBody() ? given.body() : sample;
    Map<?, ?> fields = said instanceof Map<?, ?> map ? map : Map.of();
    return new Content(
        status,
        headers,
        request.url().endsWith("/messages")
            ? anthropic(request, text(said, fields, step))
            : openAi(request, text(said, fields, step)));
  }

  /** Whether it is an answer as a provider writes it. */
  private static boolean isWire(@Nullable Object body) {
    return body instanceof RawBody
        || body instanceof LargeBody
        || (body instanceof Map<?, ?> map
            && (map.containsKey("choices") || map.containsKey("content")));
  }

  private static String text(@Nullable Object said, Map<?, ?> fields, FlowStep step) {
    if (fields.get("value") != null) {
      return Json.write(fields.get("value"));
    }
    if (fields.get("text") instanceof String text) {
      return text;
    }
    if (said instanceof String text) {
      return text;
    }
    var schema = step.kind().modelSchema();
    if (schema == null) {
      return "an answer";
    }
    return said == null || fields.containsKey("text")
        ? Json.write(Objects.requireNonNull(SchemaSample.of(schema)))
        : Json.write(said);
  }

  private static Map<String, Object> openAi(SandboxRequest request, String text) {
    var message = new LinkedHashMap<String, Object>();
    message.put("role", "assistant");
    message.put("content", text);
    var choice = new LinkedHashMap<String, Object>();
    choice.put("index", 0);
    choice.put("message", message);
    choice.put("finish_reason", "stop");
    var body = new LinkedHashMap<String, Object>();
    body.put("object", "chat.completion");
    body.put("model", model(request));
    body.put("choices", List.of(choice));
    body.put("usage", Map.of("prompt_tokens", TOKENS, "completion_tokens", TOKENS));
    return body;
  }

  private static Map<String, Object> anthropic(SandboxRequest request, String text) {
    var body = new LinkedHashMap<String, Object>();
    body.put("type", "message");
    body.put("role", "assistant");
    body.put("model", model(request));
    body.put("content", List.of(Map.of("type", "text", "text", text)));
    body.put("stop_reason", "end_turn");
    body.put("usage", Map.of("input_tokens", TOKENS, "output_tokens", TOKENS));
    return body;
  }

  private static String model(SandboxRequest request) {
    String body = request.body();
    try {
      return body != null
              && Json.read(body, Object.class) instanceof Map<?, ?> map
              && map.get("model") instanceof String model
          ? model
          : "stand-in";
    } catch (NotSerializable e) {
      return "stand-in";
    }
  }
}
