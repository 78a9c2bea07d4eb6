package dev.hapax.flows.step;

import dev.hapax.flows.yaml.JsonSchema;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer of a model that nobody asks: in drafts. */
final class ModelDraft {
  private ModelDraft() {}

  /** An answer without content; the step's sample says more. */
  static Map<String, @Nullable Object> answer(String model, @Nullable JsonSchema schema) {
    var answer = new LinkedHashMap<String, @Nullable Object>();
    answer.put("text", "");
    answer.put("value", schema == null ? null : Map.of());
    answer.put("finish", "stop");
    answer.put("model", model);
    return answer;
  }

  /** Adds what a sample leaves out. */
  static Map<String, @Nullable Object> completed(Map<?, ?> sample, String model) {
    Map<String, @Nullable Object> all = answer(model, null);
    sample.forEach((name, value) -> all.put(String.valueOf(name), value));
    return all;
  }
}
