package dev.hapax.flows.explain;

import dev.hapax.flow.Flow;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What happens to the effects of a run that fails.
 *
 * @param undone what is undone, in the order in which that happens
 * @param stays the steps whose effects stay
 */
public record FailureAnswers(String rule, List<Undone> undone, List<String> stays) {
  /** A step that is undone by a request with a guard. */
  public record Undone(String step, String by, String guard) {
    private static Undone of(FlowStep step, FlowStep.Compensate compensate) {
      return new Undone(
          step.id(),
          compensate.kind().description(),
          compensate.effect() == null
              ? "none needed, it may be repeated"
              : compensate.effect().guard().word());
    }

    Map<String, Object> json() {
      var fields = new LinkedHashMap<String, Object>();
      fields.put("step", step);
      fields.put("by", by);
      fields.put("guard", guard);
      return fields;
    }
  }

  static FailureAnswers of(FlowFile file) {
    boolean undoes = file.onFailure() == Flow.OnFailure.COMPENSATE;
    var undone = new ArrayList<Undone>();
    var stays = new ArrayList<String>();
    for (FlowStep step : file.allSteps()) {
      FlowStep.Compensate compensate = step.compensate();
      if (undoes && compensate != null) {
        undone.add(Undone.of(step, compensate));
      } else if (step.effect() != null && step.effect().kind() != EffectKind.READ) {
        stays.add(step.id());
      }
    }
    return new FailureAnswers(
        undoes
            ? "a run that fails undoes what it sent, the last effect first"
            : "a run that fails stops; a retry goes on with the step that failed, and what is done stays done",
        List.copyOf(undone.reversed()),
        List.copyOf(stays));
  }

  Map<String, Object> json() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("rule", rule);
    fields.put("undone", undone.stream().map(Undone::json).toList());
    fields.put("stays", stays);
    return fields;
  }
}
