package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.file.StepKind;

/** An approval that may wait forever. */
final class ApprovalWithoutExpiry implements Rule {
  @Override
  public String id() {
    return "approval-without-expiry";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (Step step : flow.allSteps()) {
      if (step.kind() instanceof StepKind.Ask ask && ask.expires() == null) {
        report.add(
            ask.position(),
            "approval '%s' never expires: a run that nobody looks at waits for ever"
                .formatted(step.id()),
            "Add expires: 3d and onExpire: reject.");
      }
    }
  }
}
