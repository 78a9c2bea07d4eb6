package dev.hapax.flows.model;

import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An answer of {@code /v1/messages}. */
final class AnthropicAnswer extends AnswerReader {
  private final Map<Long, Block> blocks = new TreeMap<>();
  private @Nullable String reason;
  private @Nullable String model;
  private @Nullable Long input;
  private long cached;
  private @Nullable Long output;
  private boolean isEnd;

  /** A part of the answer: text, or the use of a tool. */
  private static final class Block {
    String type = "";
    String id = "";
    String name = "";
    String whole = "{}";
    final StringBuilder text = new StringBuilder();
  }

  AnthropicAnswer(int mostText) {
    super(mostText);
  }

  @Override
  void heard(String data) throws BadAnswer {
    Map<?, ?> event = object(data);
    switch (textOr(event.get("type"), "")) {
      case "message_start" -> {
        Map<?, ?> message = map(event.get("message"));
        model = text(message.get("model"));
        count(map(message.get("usage")));
      }
      case "content_block_start" ->
          begin(number(event.get("index")), map(event.get("content_block")));
      case "content_block_delta" -> add(number(event.get("index")), map(event.get("delta")));
      case "message_delta" -> {
        String why = text(map(event.get("delta")).get("stop_reason"));
        reason = why == null ? reason : why;
        count(map(event.get("usage")));
      }
      case "message_stop" -> isEnd = true;
      case "error" -> refuseError(event);
      default -> {} // ping, and events of later versions
    }
  }

  private void begin(long index, Map<?, ?> start) throws BadAnswer {
    Block block = blocks.computeIfAbsent(index, _ -> new Block());
    block.type = textOr(start.get("type"), "");
    block.id = taken(textOr(start.get("id"), ""));
    block.name = taken(textOr(start.get("name"), ""));
    block.text.append(taken(textOr(start.get("text"), "")));
    if (start.get("input") instanceof Map<?, ?> given) {
      block.whole = taken(Json.write(given));
    }
  }

  private void add(long index, Map<?, ?> delta) throws BadAnswer {
    Block block = blocks.computeIfAbsent(index, _ -> new Block());
    switch (textOr(delta.get("type"), "")) {
      case "text_delta" -> block.text.append(taken(textOr(delta.get("text"), "")));
      case "input_json_delta" -> block.text.append(taken(textOr(delta.get("partial_json"), "")));
      default -> {} // what the model thinks is no part of its answer
    }
  }

  @Override
  void whole(Map<?, ?> answer) throws BadAnswer {
    refuseError(answer);
    List<?> content = list(answer.get("content"));
    if (!"message".equals(answer.get("type"))) {
      throw BadAnswer.of("expected an answer of type 'message', got another one");
    }
    for (int i = 0; i < content.size(); i++) {
      begin(i, map(content.get(i)));
    }
    model = text(answer.get("model"));
    reason = text(answer.get("stop_reason"));
    isEnd = true;
    count(map(answer.get("usage")));
  }

  /** Later counts replace earlier ones: they are sums. */
  private void count(Map<?, ?> usage) {
    if (usage.get("input_tokens") != null) {
      Long fresh = count(usage.get("input_tokens"));
      Object written = usage.get("cache_creation_input_tokens");
      Long kept = written == null ? Long.valueOf(0) : count(written);
      cached = cheap(usage.get("cache_read_input_tokens"));
      input = fresh == null || kept == null ? null : Long.valueOf(fresh + cached + kept);
    }
    if (usage.get("output_tokens") != null) {
      output = count(usage.get("output_tokens"));
    }
  }

  @Override
  boolean isEnd() {
    return isEnd;
  }

  @Override
  public ModelAnswer answer() throws BadAnswer {
    if (!isEnd || reason == null) {
      throw BadAnswer.of("the answer broke off: it has no message_stop");
    }
    var text = new StringBuilder();
    List<WantedTool> calls = new ArrayList<>();
    for (Block block : blocks.values()) {
      if (block.type.equals("tool_use")) {
        String given = block.text.isEmpty() ? block.whole : block.text.toString();
        calls.add(new WantedTool(block.id, block.name, given));
      } else if (block.type.equals("text")) {
        text.append(block.text);
      }
    }
    return new ModelAnswer(
        text.toString(), List.copyOf(calls), finish(reason, !calls.isEmpty()), model, tokens());
  }

  private static ModelAnswer.Finish finish(String why, boolean hasCalls) {
    return switch (why) {
      case "max_tokens", "model_context_window_exceeded" -> ModelAnswer.Finish.LENGTH;
      case "refusal" -> ModelAnswer.Finish.REFUSAL;
      default -> hasCalls ? ModelAnswer.Finish.TOOLS : ModelAnswer.Finish.STOP;
    };
  }

  @Override
  public @Nullable ModelTokens tokens() {
    return input == null || output == null ? null : new ModelTokens(input, cached, output);
  }
}
