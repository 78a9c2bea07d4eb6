package dev.hapax.flows.skeleton;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A question that an import cannot answer: a person decides it in the skeleton.
 *
 * @param code a stable name, for example {@code no-key}
 * @param at the place in the source: a line, or the name of a node
 * @param flow the skeleton that it is about
 * @param step the step; empty if it is about the whole flow
 */
public record ImportDecision(
    String code, String at, String flow, String step, String message, String fix) {
  /** Returns the form for programs; names never change. */
  public Map<String, Object> json() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("code", code);
    fields.put("at", at);
    fields.put("flow", flow);
    fields.put("step", step);
    fields.put("message", message);
    fields.put("fix", fix);
    return fields;
  }

  /** Returns text for people: the place, the reason, then what to do. */
  @Override
  public String toString() {
    String place = step.isEmpty() ? flow : flow + "/" + step;
    return "%s (%s) %s: %s.%n  %s".formatted(place, at, code, message, fix);
  }
}
