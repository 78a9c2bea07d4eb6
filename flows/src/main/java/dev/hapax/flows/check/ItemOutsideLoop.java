package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;

/** {@code item} in a step that is not part of a loop. */
final class ItemOutsideLoop implements Rule {
  @Override
  public String id() {
    return "item-outside-loop";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    var visibility = new Visibility(flow);
    for (FlowStep step : flow.allSteps()) {
      if (visibility.isInLoop(step)) {
        continue;
      }
      step.templates()
          .flatMap(template -> template.expressions().stream())
          .filter(expression -> expression.reach().reaches("item"))
          .map(Expression::position)
          .distinct()
          .forEach(
              position ->
                  report.add(
                      position,
                      "'item' is known only in a step with forEach",
                      "Add forEach and itemKey to step '%s', or use the input."
                          .formatted(step.id())));
    }
  }
}
