package dev.hapax.flows;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the providers of models answer with 400, as far as our requests could break it. */
final class ModelRules {
  private static final Set<String> TOOLS = Set.of("tool_use", "tool_result");

  private ModelRules() {}

  /** Returns why the provider refuses the question; null if it does not. */
  static @Nullable String refusal(ModelServer.Question question) {
    return question.isAnthropic() ? anthropic(question) : openAi(question);
  }

  private static @Nullable String openAi(ModelServer.Question question) {
    Map<?, ?> body = question.body();
    if (body.get("tool_choice") != null && body.get("tools") == null) {
      return "'tool_choice' is only allowed when 'tools' are specified.";
    }
    return null;
  }

  private static @Nullable String anthropic(ModelServer.Question question) {
    Map<?, ?> body = question.body();
    String next = "user";
    for (Object each : question.messages()) {
      Map<?, ?> message = (Map<?, ?>) each;
      if (!next.equals(message.get("role"))) {
        return "messages: roles must alternate between \"user\" and \"assistant\"";
      }
      next = next.equals("user") ? "assistant" : "user";
      String refusal = content(message.get("content"), body);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  private static @Nullable String content(@Nullable Object content, Map<?, ?> body) {
    if (!(content instanceof List<?> blocks)) {
      return isBlank(content) ? "messages: text content blocks must be non-empty" : null;
    }
    if (blocks.isEmpty()) {
      return "messages: all messages must have non-empty content";
    }
    for (Object each : blocks) {
      Map<?, ?> block = (Map<?, ?>) each;
      String type = String.valueOf(block.get("type"));
      if (type.equals("text") && isBlank(block.get("text"))) {
        return "messages: text content blocks must be non-empty";
      }
      if (TOOLS.contains(type) && body.get("tools") == null) {
        return "Requests which include `tool_use` or `tool_result` blocks must define tools";
      }
    }
    return null;
  }

  private static boolean isBlank(@Nullable Object text) {
    return !(text instanceof String given) || given.isBlank();
  }
}
