package dev.hapax.flows.step;

import dev.hapax.json.CanonicalJson;
import dev.hapax.json.Digest;
import dev.hapax.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a file says about a step, as a digest, so that two releases can be compared step by step.
 * Inner steps have definitions of their own, and places in the file do not count.
 */
final class StepDefinition {
  private static final int LETTERS = 26;
  private static final Set<String> INNER = Set.of("steps", "otherwise", "branches");

  private StepDefinition() {}

  /**
   * Returns the digest.
   *
   * @param step as maps, lists and scalars; null if it is from no file
   */
  static String of(@Nullable Object step) {
    Object own = step instanceof Map<?, ?> fields ? ofEach(fields) : step;
    return Digest.base32(
        Digest.sha256(CanonicalJson.of(own == null ? "null" : Json.write(own))), LETTERS);
  }

  /** Inner steps are one level below the key of their block, or two in the choices of a list. */
  private static Map<String, @Nullable Object> ofEach(Map<?, ?> fields) {
    var own = new LinkedHashMap<String, @Nullable Object>();
    fields.forEach(
        (name, value) ->
            own.put(
                String.valueOf(name),
                value instanceof List<?> list
                    ? list.stream().map(StepDefinition::withoutSteps).toList()
                    : withoutSteps(value)));
    return own;
  }

  private static @Nullable Object withoutSteps(@Nullable Object value) {
    if (!(value instanceof Map<?, ?> fields)) {
      return value;
    }
    var own = new LinkedHashMap<String, @Nullable Object>();
    fields.forEach(
        (name, inner) ->
            own.put(
                String.valueOf(name),
                INNER.contains(String.valueOf(name)) && holdsSteps(inner)
                    ? namesOf(inner)
                    : inner));
    return own;
  }

  private static boolean holdsSteps(@Nullable Object value) {
    return switch (value) {
      case List<?> list ->
          !list.isEmpty()
              && list.stream()
                  .allMatch(one -> one instanceof Map<?, ?> map && map.containsKey("id"));
      case Map<?, ?> branches -> branches.values().stream().allMatch(StepDefinition::holdsSteps);
      case null, default -> false;
    };
  }

  /** Which steps are inside, and in which order. */
  private static @Nullable Object namesOf(@Nullable Object steps) {
    if (steps instanceof Map<?, ?> branches) {
      var names = new LinkedHashMap<String, @Nullable Object>();
      branches.forEach((name, inner) -> names.put(String.valueOf(name), namesOf(inner)));
      return names;
    }
    return steps instanceof List<?> list
        ? list.stream().map(one -> one instanceof Map<?, ?> map ? map.get("id") : one).toList()
        : steps;
  }
}
