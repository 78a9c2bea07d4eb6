package dev.hapax.engine.pass;

import dev.hapax.effect.Payload;
import dev.hapax.flow.Repetition;
import dev.hapax.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How a round of a repetition has ended, as its section of the journal holds it.
 *
 * @param state for the next round, as JSON text
 */
public record RoundEnd(int index, @Nullable String state, boolean isLast) {

  public static RoundEnd read(int index, String text) {
    JsonNode end = Json.tree(text);
    JsonNode state = end.get("state");
    JsonNode isLast = end.get("last");
    return new RoundEnd(
        index,
        state == null || state.isNull() ? null : state.toString(),
        isLast != null && isLast.booleanValue());
  }

  public static String write(Repetition<?> repetition) {
    String state = Payload.writeResult(repetition.state());
    return "{\"last\":%s,\"state\":%s}".formatted(repetition.isLast(), state);
  }
}
