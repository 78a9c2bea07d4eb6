package dev.hapax.flows.skeleton;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A step of a skeleton: its fields in the order of the docs, and comments above it. */
final class SkeletonStep {
  private final String id;
  private final List<String> comments = new ArrayList<>();
  private final Map<String, Object> fields = new LinkedHashMap<>();

  SkeletonStep(String id) {
    this.id = id;
  }

  /** Returns a step that fails until a person has replaced it. */
  static SkeletonStep todo(String id, String what) {
    return new SkeletonStep(id)
        .comment("TODO " + what)
        .with("fail", ordered("code", "todo", "message", SkeletonYaml.literal("TODO " + what)));
  }

  SkeletonStep with(String field, Object value) {
    fields.put(field, value);
    return this;
  }

  SkeletonStep comment(String lines) {
    lines.lines().forEach(comments::add);
    return this;
  }

  /**
   * Says that nothing is known about repeats: in doubt, a person decides.
   *
   * @param kind of the effect
   * @param guard as far as the request itself tells
   * @param unit what one effect is about: {@code input}, or {@code item} inside of a loop
   */
  SkeletonStep effect(String kind, String guard, String unit) {
    String key = "%s/${canonical(%s)}".formatted(id, unit);
    return with("effect", ordered("kind", kind, "key", key, "guard", guard));
  }

  String id() {
    return id;
  }

  List<String> comments() {
    return comments;
  }

  Map<String, Object> fields() {
    return fields;
  }

  static Map<String, Object> ordered(Object... namesAndValues) {
    var map = new LinkedHashMap<String, Object>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }
}
