package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code repeat} in a step that is not part of a repetition. */
final class IndexOutsideRepeat implements Rule {
  @Override
  public String id() {
    return "index-outside-repeat";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    check(flow.steps(), false, report);
  }

  private static void check(List<FlowStep> steps, boolean isRepeated, Report report) {
    for (FlowStep step : steps) {
      boolean repeats = step.kind().isRepeated();
      Stream<Template> without = isRepeated ? Stream.empty() : outside(step, repeats);
      without
          .flatMap(template -> template.expressions().stream())
          .filter(expression -> expression.reach().reaches("repeat"))
          .map(Expression::position)
          .distinct()
          .forEach(
              position ->
                  report.add(
                      position,
                      "'repeat' is known only in the steps and the condition of a repeat",
                      "Move step '%s' into a repeat, or use another value.".formatted(step.id())));
      step.inner().forEach(inner -> check(inner, isRepeated || repeats, report));
    }
  }

  /** The fields beside the kind are evaluated before the first round. */
  private static Stream<Template> outside(FlowStep step, boolean repeats) {
    if (!repeats) {
      return step.templates();
    }
    Set<Template> conditions = step.kind().templates().collect(Collectors.toSet());
    return step.templates().filter(template -> !conditions.contains(template));
  }
}
