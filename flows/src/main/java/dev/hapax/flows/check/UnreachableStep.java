package dev.hapax.flows.check;

import dev.hapax.flows.expression.Expression;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
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
  public boolean needsWholeFile() {
    return true;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    check(flow.steps(), report);
  }

  private static void check(List<FlowStep> steps, Report report) {
    FlowStep end = null;
    for (FlowStep step : steps) {
      if (end != null) {
        report.add(
            step.position(),
            "no run reaches step '%s': step '%s' before it always %s"
                .formatted(step.id(), end.id(), end.kind().returns() ? "ends the run" : "fails"),
            "Remove it, or give '%s' a when.".formatted(end.id()));
        break;
      }
      if (isAlways(step.when(), "false")) {
        report.add(
            step.position(),
            "no run reaches step '%s': its when is always false".formatted(step.id()),
            "Remove it, or correct when.");
      }
      if (step.kind().takesOneBranch()) {
        checkBranches(step, report);
      }
      step.inner().forEach(inner -> check(inner, report));
      boolean ends =
          step.kind().returns()
              || (step.kind().alwaysFails() && step.onError() == FlowStep.OnError.FAIL);
      if (ends && (step.when() == null || isAlways(step.when(), "true"))) {
        end = step;
      }
    }
  }

  private static void checkBranches(FlowStep step, Report report) {
    boolean decided = false;
    for (FlowStepKind.Branch branch : step.kind().branches()) {
      if (decided) {
        report.add(
            branch.position(),
            "no run reaches this branch of '%s': an earlier branch is always taken"
                .formatted(step.id()),
            "Move it before that branch, or remove it.");
        return;
      }
      decided = branch.when() == null || isAlways(branch.when(), "true");
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
