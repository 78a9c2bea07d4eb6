package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.file.StepKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A step that no run ever reaches. */
final class UnreachableStep implements Rule {
  @Override
  public String id() {
    return "unreachable-step";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    check(flow.steps(), report);
  }

  private static void check(List<Step> steps, Report report) {
    Step end = null;
    for (Step step : steps) {
      if (end != null) {
        report.add(
            step.position(),
            "no run comes to step '%s': step '%s' before it always fails"
                .formatted(step.id(), end.id()),
            "Remove it, or give '%s' a when.".formatted(end.id()));
        break;
      }
      if (isAlways(step.when(), "false")) {
        report.add(
            step.position(),
            "no run comes to step '%s': its when is always false".formatted(step.id()),
            "Remove it, or correct when.");
      }
      if (step.kind() instanceof StepKind.Choose choose) {
        checkChoices(step, choose, report);
      }
      step.inner().forEach(inner -> check(inner, report));
      if (step.kind() instanceof StepKind.Fail
          && (step.when() == null || isAlways(step.when(), "true"))
          && step.onError() == Step.OnError.FAIL) {
        end = step;
      }
    }
  }

  private static void checkChoices(Step step, StepKind.Choose choose, Report report) {
    boolean decided = false;
    for (StepKind.Choice choice : choose.choices()) {
      if (decided) {
        report.add(
            choice.position(),
            "no run comes to this branch of '%s': one before it is always taken"
                .formatted(step.id()),
            "Move it before, or remove it.");
        return;
      }
      decided = choice.when() == null || isAlways(choice.when(), "true");
    }
  }

  private static boolean isAlways(@Nullable Template condition, String word) {
    if (condition == null) {
      return false;
    }
    Expression only = condition.onlyExpression();
    return word.equals(only == null ? condition.source() : only.text());
  }
}
