package dev.hapax.json;

import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The first place at which two values differ.
 *
 * @param path a JSON pointer; {@code /} for the whole value
 * @param was is a missing node if only the other value has something here
 * @param is likewise
 */
public record JsonDifference(String path, JsonNode was, JsonNode is) {

  /** Returns null if the two are the same value. */
  public static @Nullable JsonDifference between(String was, String is) {
    return find("", Json.tree(was), Json.tree(is));
  }

  private static @Nullable JsonDifference find(String path, JsonNode was, JsonNode is) {
    if (was.isObject() && is.isObject()) {
      var names = new TreeSet<>(was.propertyNames());
      names.addAll(is.propertyNames());
      for (String name : names) {
        JsonDifference inside = find(path + "/" + name, was.path(name), is.path(name));
        if (inside != null) {
          return inside;
        }
      }
      return null;
    }
    if (was.isArray() && is.isArray() && was.size() == is.size()) {
      for (int i = 0; i < was.size(); i++) {
        JsonDifference inside = find(path + "/" + i, was.path(i), is.path(i));
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
    return same ? null : new JsonDifference(path.isEmpty() ? "/" : path, was, is);
  }
}
