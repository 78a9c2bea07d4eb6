package dev.hapax.subject;

import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.Run;
import dev.hapax.flow.SubjectHash;
import dev.hapax.json.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Recognizes a person in stored values by the hash of their id: a run or an event is about the
 * person if its key, a searchable field or any value of its input is equal to the id. Pure.
 */
record SubjectMatch(String tenant, SubjectHash subject) {

  /** Whether the run says so by its declared subjects, or by one of its values. */
  boolean isIn(Run run) {
    return run.search().subjects().contains(subject)
        || isId(run.key())
        || run.search().declared().values().stream().anyMatch(this::isId)
        || isInJson(run.input());
  }

  boolean isIn(InboxEvent event) {
    return isId(event.event()) || isId(event.object()) || isInJson(event.payload());
  }

  private boolean isInJson(String json) {
    try {
      return isIn(Json.tree(json));
    } catch (RuntimeException e) {
      return false; // a reference to a large value, which is no id
    }
  }

  private boolean isIn(JsonNode node) {
    if (node.isContainer()) {
      for (JsonNode member : node) {
        if (isIn(member)) {
          return true;
        }
      }
      return false;
    }
    return (node.isString() || node.isNumber()) && isId(node.asString());
  }

  private boolean isId(@Nullable String text) {
    return text != null
        && !text.isBlank()
        && text.length() <= SubjectHash.LONGEST_ID
        && SubjectHash.of(tenant, text).equals(subject);
  }
}
