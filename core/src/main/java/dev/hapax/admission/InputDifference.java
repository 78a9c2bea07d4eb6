package dev.hapax.admission;

import dev.hapax.json.JsonDifference;
import tools.jackson.databind.JsonNode;

/** Describes the first difference between two inputs with the same key. */
final class InputDifference {
  private static final int LONGEST = 80;

  private InputDifference() {}

  static String between(String first, String now) {
    JsonDifference found = JsonDifference.between(first, now);
    return found == null
        ? "the inputs differ"
        : "%s was %s, now %s".formatted(found.path(), shown(found.was()), shown(found.is()));
  }

  private static String shown(JsonNode value) {
    String text = value.isMissingNode() ? "absent" : value.toString();
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
