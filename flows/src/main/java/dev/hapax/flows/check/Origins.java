package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.file.StepKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Finds the original source of values, through all {@code set} steps in between. */
final class Origins {
  private final Map<String, Step> steps;

  Origins(FlowFile flow) {
    this.steps =
        flow.allSteps().stream()
            .collect(
                Collectors.toMap(Step::id, Function.identity(), (first, _) -> first, HashMap::new));
  }

  /** Returns the call of now(), random() or uuid() that the text reaches; null if none. */
  @Nullable String momentOf(Template template) {
    return momentOf(template, new HashSet<>());
  }

  private @Nullable String momentOf(Template template, Set<String> seen) {
    for (Expression expression : template.expressions()) {
      String call = expression.reach().momentCall();
      if (call != null) {
        return call + "()";
      }
      for (String id : expression.reach().steps()) {
        Step step = steps.get(id);
        if (step == null || !seen.add(id)) {
          continue;
        }
        String inner =
            step.kind() instanceof StepKind.SetValues set
                ? set.templates()
                    .map(value -> momentOf(value, seen))
                    .filter(found -> found != null)
                    .findFirst()
                    .orElse(null)
                : null;
        if (inner != null) {
          return inner + " through step '" + id + "'";
        }
      }
    }
    return null;
  }

  /** Returns the model step whose output the text reaches; null if none. */
  @Nullable String modelOf(Template template) {
    return modelOf(template, new HashSet<>());
  }

  private @Nullable String modelOf(Template template, Set<String> seen) {
    for (Expression expression : template.expressions()) {
      for (String id : expression.reach().steps()) {
        Step step = steps.get(id);
        if (step == null || !seen.add(id)) {
          continue;
        }
        if (step.kind() instanceof StepKind.Llm) {
          return id;
        }
        String inner =
            step.kind() instanceof StepKind.SetValues set
                ? set.templates()
                    .map(value -> modelOf(value, seen))
                    .filter(found -> found != null)
                    .findFirst()
                    .orElse(null)
                : null;
        if (inner != null) {
          return inner;
        }
      }
    }
    return null;
  }
}
