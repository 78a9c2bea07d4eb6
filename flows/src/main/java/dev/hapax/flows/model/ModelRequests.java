package dev.hapax.flows.model;

import dev.hapax.flows.connection.ModelDialect;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes questions as bodies of requests, in the words of each dialect. */
public final class ModelRequests {
  private static final String ROLE = "role";
  private static final String CONTENT = "content";

  /** Without it a model that has tools may use them. */
  private static final String TOOL_CHOICE = "tool_choice";

  private ModelRequests() {}

  /**
   * Returns the body of the request that asks this.
   *
   * @param lengthField the member that limits the answer, where providers differ
   */
  public static Map<String, @Nullable Object> body(
      ModelDialect dialect, ModelQuestion question, String lengthField) {
    return switch (dialect) {
      case OPENAI -> openAi(question, lengthField);
      case ANTHROPIC -> anthropic(question);
    };
  }

  // ---- OpenAI

  private static Map<String, @Nullable Object> openAi(ModelQuestion question, String lengthField) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("model", question.model());
    List<Object> messages = new ArrayList<>();
    if (question.system() != null) {
      messages.add(ordered(ROLE, "system", CONTENT, question.system()));
    }
    question.turns().forEach(turn -> addOpenAi(messages, turn));
    body.put("messages", messages);
    body.put(lengthField, question.maxTokens());
    if (question.temperature() != null) {
      body.put("temperature", question.temperature());
    }
    if (question.schema() != null) {
      var schema = new LinkedHashMap<String, Object>();
      schema.put("name", "answer");
      schema.put("strict", ReducedSchema.isStrict(question.schema()));
      schema.put("schema", question.schema());
      body.put("response_format", ordered("type", "json_schema", "json_schema", schema));
    }
    if (!question.tools().isEmpty()) {
      body.put(
          "tools",
          question.tools().stream()
              .map(
                  tool ->
                      ordered(
                          "type",
                          "function",
                          "function",
                          ordered(
                              "name",
                              tool.name(),
                              "description",
                              tool.description(),
                              "parameters",
                              tool.input())))
              .toList());
      if (!question.canUseTools()) {
        body.put(TOOL_CHOICE, "none");
      }
    }
    body.put("stream", true);
    body.put("stream_options", Map.of("include_usage", true));
    return body;
  }

  private static void addOpenAi(List<Object> messages, Turn turn) {
    switch (turn) {
      case Turn.Said(var role, var content) -> messages.add(ordered(ROLE, role, CONTENT, content));
      case Turn.Asked(var text, var calls) ->
          messages.add(
              ordered(
                  ROLE,
                  "assistant",
                  CONTENT,
                  text,
                  "tool_calls",
                  calls.stream()
                      .map(
                          call ->
                              ordered(
                                  "id",
                                  call.id(),
                                  "type",
                                  "function",
                                  "function",
                                  ordered("name", call.tool(), "arguments", call.input())))
                      .toList()));
      case Turn.Told(var answers) ->
          answers.forEach(
              answer ->
                  messages.add(
                      ordered(
                          ROLE, "tool", "tool_call_id", answer.call(), CONTENT, answer.text())));
    }
  }

  // ---- Anthropic

  private static Map<String, @Nullable Object> anthropic(ModelQuestion question) {
    var body = new LinkedHashMap<String, @Nullable Object>();
    body.put("model", question.model());
    body.put("max_tokens", question.maxTokens());
    if (question.system() != null) {
      body.put("system", question.system());
    }
    body.put("messages", question.turns().stream().map(ModelRequests::anthropicTurn).toList());
    if (question.temperature() != null) {
      body.put("temperature", question.temperature());
    }
    if (question.schema() != null) {
      body.put(
          "output_config",
          Map.of("format", ordered("type", "json_schema", "schema", question.schema())));
    }
    if (!question.tools().isEmpty()) {
      body.put(
          "tools",
          question.tools().stream()
              .map(
                  tool ->
                      ordered(
                          "name",
                          tool.name(),
                          "description",
                          tool.description(),
                          "input_schema",
                          tool.input()))
              .toList());
      if (!question.canUseTools()) {
        body.put(TOOL_CHOICE, Map.of("type", "none"));
      }
    }
    body.put("stream", true);
    return body;
  }

  private static Object anthropicTurn(Turn turn) {
    return switch (turn) {
      case Turn.Said(var role, var content) -> ordered(ROLE, role, CONTENT, content);
      case Turn.Asked(var text, var calls) -> {
        List<Object> blocks = new ArrayList<>();
        if (!text.isBlank()) {
          blocks.add(ordered("type", "text", "text", text));
        }
        for (WantedTool call : calls) {
          blocks.add(
              ordered(
                  "type",
                  "tool_use",
                  "id",
                  call.id(),
                  "name",
                  call.tool(),
                  "input",
                  inputOf(call)));
        }
        yield ordered(ROLE, "assistant", CONTENT, blocks);
      }
      case Turn.Told(var answers) ->
          ordered(
              ROLE,
              "user",
              CONTENT,
              answers.stream()
                  .map(
                      answer ->
                          ordered(
                              "type",
                              "tool_result",
                              "tool_use_id",
                              answer.call(),
                              CONTENT,
                              answer.text(),
                              "is_error",
                              answer.isError()))
                  .toList());
    };
  }

  /** What the model wrote may be no JSON; then it is told so, and its call has no input. */
  private static Object inputOf(WantedTool call) {
    try {
      return Json.read(call.input(), Object.class) instanceof Map<?, ?> map ? map : Map.of();
    } catch (NotSerializable e) {
      return Map.of();
    }
  }

  /** A mapping that keeps the order, so that the same question is always the same text. */
  private static Map<String, Object> ordered(Object... pairs) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
