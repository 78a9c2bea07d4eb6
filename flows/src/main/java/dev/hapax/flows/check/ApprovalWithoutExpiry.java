package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;

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
    for (FlowStep step : flow.allSteps()) {
      if (step.kind().asksForever()) {
        report.add(
            step.kind().position(),
            "approval '%s' never expires: without a decision, the run waits forever"
                .formatted(step.id()),
            "Add expires: 3d and onExpire: reject.");
      }
    }
  }
}
