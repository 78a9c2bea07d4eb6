package dev.hapax.flows.step;

import dev.hapax.flow.Rejected;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.model.Turn;
import dev.hapax.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the file asks a model, with its expressions evaluated.
 *
 * @param system null if the model is told nothing before
 */
record ModelPrompt(String model, @Nullable String system, List<Turn> turns) {
  private static final Set<String> ROLES = Set.of("user", "assistant");

  static ModelPrompt of(StepRun step, LlmStep kind) {
    Scope scope = step.scope().asOneValue();
    String model = kind.model().text(scope);
    if (model.isBlank() || model.length() > 200) {
      throw new Rejected(
          "bad-model", "model: expected 1 to 200 characters, got %d".formatted(model.length()));
    }
    var system = new ArrayList<String>();
    if (kind.system() != null) {
      system.add(kind.system().text(scope));
    }
    List<Turn> turns = new ArrayList<>();
    if (kind.prompt() != null) {
      turns.add(new Turn.Said("user", text(kind.prompt().value(scope))));
    }
    if (kind.messages() != null) {
      Object value = kind.messages().value(scope);
      for (Object message : value instanceof List<?> several ? several : List.of()) {
        add(system, turns, message instanceof Map<?, ?> map ? map : Map.of());
      }
    }
    if (turns.isEmpty()) {
      throw bad("messages: expected a list with at least one {role, content} of a user");
    }
    return new ModelPrompt(model, system.isEmpty() ? null : String.join("\n\n", system), turns);
  }

  private static void add(List<String> system, List<Turn> turns, Map<?, ?> message) {
    Object role = message.get("role");
    Object content = message.get("content");
    if (content == null) {
      throw bad("messages: expected {role, content}, got one without content");
    }
    if ("system".equals(role)) {
      system.add(text(content));
    } else if (role instanceof String word && ROLES.contains(word)) {
      turns.add(new Turn.Said(word, content instanceof List<?> parts ? parts : text(content)));
    } else {
      throw bad("messages: expected role user, assistant or system, got '%s'".formatted(role));
    }
  }

  private static Rejected bad(String message) {
    return new Rejected("bad-messages", message);
  }

  private static String text(@Nullable Object value) {
    return value instanceof String text ? text : value == null ? "null" : Json.write(value);
  }
}
