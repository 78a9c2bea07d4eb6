package dev.hapax.flows.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An answer of {@code /chat/completions}. */
final class OpenAiAnswer extends AnswerReader {
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder refusal = new StringBuilder();
  private final Map<Long, Call> calls = new TreeMap<>();
  private @Nullable String reason;
  private @Nullable String model;
  private @Nullable ModelTokens tokens;
  private boolean isEnd;

  private static final class Call {
    String id = "";
    final StringBuilder name = new StringBuilder();
    final StringBuilder input = new StringBuilder();
  }

  OpenAiAnswer(int mostText) {
    super(mostText);
  }

  @Override
  void heard(String data) throws BadAnswer {
    if (data.strip().equals("[DONE]")) {
      isEnd = true;
      return;
    }
    Map<?, ?> chunk = object(data);
    refuseError(chunk);
    common(chunk);
    for (Object choice : list(chunk.get("choices"))) {
      if (number(map(choice).get("index")) == 0) {
        add(map(map(choice).get("delta")));
        reason = either(map(choice).get("finish_reason"), reason);
      }
    }
  }

  @Override
  void whole(Map<?, ?> answer) throws BadAnswer {
    refuseError(answer);
    common(answer);
    List<?> choices = list(answer.get("choices"));
    if (choices.isEmpty()) {
      throw BadAnswer.of("expected an answer with 'choices', got none");
    }
    Map<?, ?> choice = map(choices.getFirst());
    add(map(choice.get("message")));
    reason = either(choice.get("finish_reason"), reason);
  }

  private void common(Map<?, ?> part) {
    model = either(part.get("model"), model);
    if (part.get("usage") instanceof Map<?, ?> usage && usage.get("prompt_tokens") != null) {
      Long input = count(usage.get("prompt_tokens"));
      Long output = count(usage.get("completion_tokens"));
      long cached = cheap(map(usage.get("prompt_tokens_details")).get("cached_tokens"));
      tokens = input == null || output == null ? null : new ModelTokens(input, cached, output);
    }
  }

  private void add(Map<?, ?> message) throws BadAnswer {
    text.append(taken(textOr(message.get("content"), "")));
    refusal.append(taken(textOr(message.get("refusal"), "")));
    List<?> parts = list(message.get("tool_calls"));
    for (int i = 0; i < parts.size(); i++) {
      Map<?, ?> part = map(parts.get(i));
      long index = part.get("index") instanceof Number given ? given.longValue() : i;
      Call call = calls.computeIfAbsent(index, _ -> new Call());
      call.id = textOr(part.get("id"), call.id);
      Map<?, ?> function = map(part.get("function"));
      call.name.append(taken(textOr(function.get("name"), "")));
      call.input.append(taken(textOr(function.get("arguments"), "")));
    }
  }

  private static @Nullable String either(@Nullable Object value, @Nullable String otherwise) {
    return value instanceof String given ? given : otherwise;
  }

  @Override
  boolean isEnd() {
    return isEnd;
  }

  @Override
  public ModelAnswer answer() throws BadAnswer {
    if (reason == null) {
      throw BadAnswer.of("the answer broke off: it has no finish_reason");
    }
    List<WantedTool> wanted = new ArrayList<>();
    for (Call call : calls.values()) {
      wanted.add(new WantedTool(call.id, call.name.toString(), call.input.toString()));
    }
    return new ModelAnswer(
        refusal.isEmpty() ? text.toString() : refusal.toString(),
        List.copyOf(wanted),
        finish(reason, !wanted.isEmpty()),
        model,
        tokens);
  }

  private ModelAnswer.Finish finish(String why, boolean hasCalls) {
    if (!refusal.isEmpty()) {
      return ModelAnswer.Finish.REFUSAL;
    }
    return switch (why) {
      case "length" -> ModelAnswer.Finish.LENGTH;
      case "content_filter" -> ModelAnswer.Finish.FILTER;
      default -> hasCalls ? ModelAnswer.Finish.TOOLS : ModelAnswer.Finish.STOP;
    };
  }

  @Override
  public @Nullable ModelTokens tokens() {
    return tokens;
  }
}
