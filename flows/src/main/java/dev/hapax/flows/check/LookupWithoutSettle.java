package dev.hapax.flows.check;

import dev.hapax.flows.file.EffectContract.GuardBlock;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;

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
    for (Step step : flow.allSteps()) {
      GuardBlock.Lookup lookup = step.effect() == null ? null : step.effect().guard().lookup();
      if (lookup != null && lookup.settle() == null) {
        report.add(
            lookup.position(),
            "the lookup of step '%s' does not say how long a write may take to become visible; 10s are assumed, and too little means twice"
                .formatted(step.id()),
            "Add settle: the longest time between the request and the moment a read shows it.");
      }
    }
  }
}
