package dev.hapax.flows.explain;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What a step asks a language model, and what that may cost. */
public record ModelAnswers(
    String step, String asks, int maxTokens, String found, String budget, List<String> tools) {
  static List<ModelAnswers> of(FlowFile file) {
    return file.allSteps().stream().flatMap(ModelAnswers::of).toList();
  }

  private static Stream<ModelAnswers> of(FlowStep step) {
    FlowStepKind.Asked asked = step.kind().asked();
    return asked == null
        ? Stream.empty()
        : Stream.of(
            new ModelAnswers(
                step.id(),
                step.kind().description(),
                asked.maxTokens(),
                asked.found(),
                asked.budget(),
                step.kind().toolFlows()));
  }

  Map<String, Object> json() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("step", step);
    fields.put("asks", asks);
    fields.put("maxTokens", maxTokens);
    fields.put("found", found);
    fields.put("budget", budget);
    fields.put("tools", tools);
    return fields;
  }
}
