package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.StepGuard;

/** A lookup that does not say how long a write may take to become visible. */
final class LookupWithoutSettle implements Rule {
  @Override
  public String id() {
    return "lookup-without-settle";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      StepGuard.Lookup lookup = step.effect() == null ? null : step.effect().guard().lookup();
      if (lookup != null && lookup.settle() == null) {
        report.add(
            lookup.position(),
            "the lookup of step '%s' does not say how long a write may take to become visible; 10s are assumed, and if that is too short, it happens twice"
                .formatted(step.id()),
            "Add settle with the longest time that can pass until a read shows a write, for example settle: 30s.");
      }
    }
  }
}
