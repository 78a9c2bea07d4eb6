package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A word that expressions know only inside some steps.
 *
 * @param gives whether the steps inside this one know it
 * @param before the fields of such a step that are evaluated before it is known
 * @param known where it is known, as the message of a finding
 * @param fix a format with the id of the step that does not know it
 */
record ScopedWord(
    String word,
    Predicate<FlowStep> gives,
    Function<FlowStep, Stream<Template>> before,
    String known,
    String fix) {
  /** Reports where the word is used and not known. */
  void check(FlowFile flow, Rule.Report report) {
    check(flow.steps(), false, report);
  }

  private void check(List<FlowStep> steps, boolean isKnown, Rule.Report report) {
    for (FlowStep step : steps) {
      boolean isKnownInside = isKnown || gives.test(step);
      if (!isKnown) {
        (isKnownInside ? before.apply(step) : step.templates())
            .flatMap(template -> template.expressions().stream())
            .filter(expression -> expression.reach().reaches(word))
            .map(Expression::position)
            .distinct()
            .forEach(position -> report.add(position, known, fix.formatted(step.id())));
      }
      step.inner().forEach(inner -> check(inner, isKnownInside, report));
    }
  }
}
