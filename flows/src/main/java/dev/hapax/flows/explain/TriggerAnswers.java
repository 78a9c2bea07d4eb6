package dev.hapax.flows.explain;

import dev.hapax.flows.file.FlowFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What identifies an event of a trigger, and what a second delivery does.
 *
 * @param kind its word in the file
 */
public record TriggerAnswers(String kind, String name, String identity, String again) {
  static List<TriggerAnswers> of(FlowFile file) {
    return file.triggers().stream()
        .map(
            trigger ->
                new TriggerAnswers(
                    trigger.word(),
                    trigger.label(),
                    trigger.identity(file.key() != null),
                    trigger.again()))
        .toList();
  }

  Map<String, Object> json() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("kind", kind);
    fields.put("name", name);
    fields.put("identity", identity);
    fields.put("again", again);
    return fields;
  }
}
