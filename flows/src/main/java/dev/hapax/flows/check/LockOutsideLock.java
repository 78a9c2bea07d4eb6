package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code lock} in a step that holds none. */
final class LockOutsideLock implements Rule {
  @Override
  public String id() {
    return "lock-outside-lock";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    check(flow.steps(), false, report);
  }

  private static void check(List<FlowStep> steps, boolean isLocked, Report report) {
    for (FlowStep step : steps) {
      boolean holds = isLocked || step.lock() != null;
      Stream<Template> without = isLocked ? Stream.empty() : outside(step, holds);
      without
          .flatMap(template -> template.expressions().stream())
          .filter(expression -> expression.reach().reaches("lock"))
          .map(Expression::position)
          .distinct()
          .forEach(
              position ->
                  report.add(
                      position,
                      "'lock' is known only in a step with lock, and in the steps inside it",
                      "Add lock to step '%s', or to a step around it.".formatted(step.id())));
      step.inner().forEach(inner -> check(inner, holds, report));
    }
  }

  /** The lock's own key and the condition are evaluated before the lock is held. */
  private static Stream<Template> outside(FlowStep step, boolean holds) {
    if (!holds) {
      return step.templates();
    }
    Set<Template> before =
        Stream.of(step.when(), step.lock()).flatMap(Stream::ofNullable).collect(Collectors.toSet());
    return step.templates().filter(before::contains);
  }
}
