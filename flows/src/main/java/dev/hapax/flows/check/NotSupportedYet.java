package dev.hapax.flows.check;

import dev.hapax.flows.expression.Position;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import dev.hapax.flows.trigger.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * A part that the format has and this version cannot carry out: it would do nothing, or fail when
 * the run reaches it.
 */
final class NotSupportedYet implements Rule {
  @Override
  public String id() {
    return "not-supported-yet";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public boolean appliesToReleases() {
    return false;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (Trigger trigger : flow.triggers()) {
      refuse(
          trigger.position(),
          "trigger '%s' starts no run in this version".formatted(trigger.word()),
          trigger.insteadOfIt(),
          report);
    }
    for (FlowStep step : flow.allSteps()) {
      FlowStep.Compensate compensate = step.compensate();
      check(step, step.kind(), report);
      if (compensate != null) {
        check(step, compensate.kind(), report);
      }
    }
  }

  private static void check(FlowStep step, FlowStepKind kind, Report report) {
    refuse(
        kind.position(),
        "kind '%s' of step '%s' cannot run in this version".formatted(kind.word(), step.id()),
        kind.insteadOfIt(),
        report);
  }

  private static void refuse(
      Position position, String message, @Nullable String instead, Report report) {
    if (instead != null) {
      report.add(position, message, instead + " A later version will support it.");
    }
  }
}
