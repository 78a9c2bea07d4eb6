package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.StepGuard;

/** A lookup that does not say which answer means that it happened. */
final class LookupWithoutFound implements Rule {
  @Override
  public String id() {
    return "lookup-without-found";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      StepGuard.Lookup lookup = step.effect() == null ? null : step.effect().guard().lookup();
      if (lookup != null && lookup.found() == null) {
        report.add(
            lookup.position(),
            "the lookup of step '%s' does not say which answer means that it happened"
                .formatted(step.id()),
            "Add found: ${response.status == 200}, or another condition on the answer.");
      }
    }
  }
}
