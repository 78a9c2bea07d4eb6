package dev.hapax.flows.explain;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** How a child run is started once. */
public record ChildAnswers(String step, String flow, String key) {
  static List<ChildAnswers> of(FlowFile file) {
    return file.allSteps().stream()
        .filter(step -> step.kind().childFlow() != null)
        .map(ChildAnswers::of)
        .toList();
  }

  private static ChildAnswers of(FlowStep step) {
    FlowStepKind.Key key = step.kind().childKey();
    return new ChildAnswers(
        step.id(),
        Objects.requireNonNull(step.kind().childFlow()),
        key == null
            ? "this run and step, or the child's own key; a crash finds the child by it"
            : "%s; a run that exists under it is used".formatted(key.template().source()));
  }

  Map<String, Object> json() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("step", step);
    fields.put("flow", flow);
    fields.put("key", key);
    return fields;
  }
}
