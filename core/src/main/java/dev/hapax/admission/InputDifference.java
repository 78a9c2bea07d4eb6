package dev.hapax.admission;

import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Json;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Describes the first difference between two inputs with the same key. */
final class InputDifference {
  private static final int LONGEST = 80;

  private InputDifference() {}

  static String between(String first, String now) {
    String found = find("", Json.tree(first), Json.tree(now));
    return found == null ? "the inputs differ" : found;
  }

  private static @Nullable String find(String path, JsonNode was, JsonNode is) {
    if (was.isObject() && is.isObject()) {
      var names = new TreeSet<>(was.propertyNames());
      names.addAll(is.propertyNames());
      for (String name : names) {
        String inside = find(path + "/" + name, was.path(name), is.path(name));
        if (inside != null) {
          return inside;
        }
      }
      return null;
    }
    if (was.isArray() && is.isArray() && was.size() == is.size()) {
      for (int i = 0; i < was.size(); i++) {
        String inside = find(path + "/" + i, was.path(i), is.path(i));
        if (inside != null) {
          return inside;
        }
      }
      return null;
    }
    boolean same =
        !was.isMissingNode()
            && !is.isMissingNode()
            && CanonicalJson.of(was).equals(CanonicalJson.of(is));
    return same
        ? null
        : "%s was %s, now %s".formatted(path.isEmpty() ? "/" : path, shown(was), shown(is));
  }

  private static String shown(JsonNode value) {
    String text = value.isMissingNode() ? "absent" : value.toString();
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
