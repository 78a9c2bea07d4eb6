package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;

/** Money that moves without a guard against duplicates. */
final class UnguardedMoney implements Rule {
  @Override
  public String id() {
    return "unguarded-money";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      if (step.effect() != null
          && !step.effect().guard().removesDuplicates()
          && Money.isMovedBy(step)) {
        report.add(
            step.effect().guard().position(),
            "step '%s' seems to move money and has guard none: a lost answer would need a person each time"
                .formatted(step.id()),
            "Use the provider's idempotency key (keyed), or a lookup by your own reference.");
      }
    }
  }
}
