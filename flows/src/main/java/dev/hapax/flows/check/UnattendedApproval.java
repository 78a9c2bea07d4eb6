package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;

/** An approval that needs a certain person, and is given without any if that person waits. */
final class UnattendedApproval implements Rule {
  @Override
  public String id() {
    return "unattended-approval";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      String deciders = step.kind().decidersThatMayBeMissed();
      if (deciders != null) {
        report.add(
            step.kind().position(),
            "approval '%s' may be decided %s, but it approves by itself when it expires"
                .formatted(step.id(), deciders),
            "Use 'onExpire: reject', or remove the limit if no person has to decide.");
      }
    }
  }
}
