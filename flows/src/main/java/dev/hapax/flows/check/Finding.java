package dev.hapax.flows.check;

import dev.hapax.flows.expression.Position;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The finding of a rule at a place in a file: why it matters and what to do.
 *
 * @param rule a stable id, for example {@code unstable-key}
 */
public record Finding(String rule, Level level, Position position, String message, String fix) {
  /** Returns the form of the public contract; names never change. */
  public Map<String, Object> json() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("rule", rule);
    fields.put("level", level.word());
    fields.put("file", position.file());
    fields.put("line", position.line());
    fields.put("column", position.column());
    fields.put("message", message);
    fields.put("fix", fix);
    return fields;
  }

  /** Returns the same finding as one that refuses nothing. */
  public Finding asWarning() {
    return new Finding(rule, Level.WARNING, position, message, fix);
  }

  /** Returns text for people: the place, the rule, the reason; then what to do. */
  @Override
  public String toString() {
    return "%s %s %s: %s.%n  %s".formatted(position, level.word(), rule, message, fix);
  }
}
