package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the original sources of a value, through all steps that only pass values on. */
final class Origins {
  private final Map<String, FlowStep> steps;
  private final Set<String> seen = new HashSet<>();
  private final List<Origin> found = new ArrayList<>();

  /**
   * An expression that the value is made of.
   *
   * @param steps the steps whose results it reads
   * @param path the steps between it and the value, as words; empty if there is none
   */
  record Origin(Expression expression, List<FlowStep> steps, String path) {}

  private Origins(FlowFile flow) {
    this.steps =
        flow.allSteps().stream()
            .collect(
                Collectors.toMap(
                    FlowStep::id, Function.identity(), (first, _) -> first, HashMap::new));
  }

  static List<Origin> of(Template template, FlowFile flow) {
    var origins = new Origins(flow);
    origins.add(template, "");
    return origins.found;
  }

  private void add(Template template, String path) {
    for (Expression expression : template.expressions()) {
      List<FlowStep> read =
          expression.reach().steps().stream().filter(steps::containsKey).map(steps::get).toList();
      found.add(new Origin(expression, read, path));
      for (FlowStep step : read) {
        if (step.kind().passesValuesOn() && seen.add(step.id())) {
          step.kind()
              .templates()
              .forEach(value -> add(value, " through step '" + step.id() + "'" + path));
        }
      }
    }
  }
}
