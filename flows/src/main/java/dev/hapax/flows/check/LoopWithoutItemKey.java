package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;

/** A loop that identifies its items only by their place in the list. */
final class LoopWithoutItemKey implements Rule {
  @Override
  public String id() {
    return "forEach-without-itemKey";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      if (step.forEach() != null && step.forEach().itemKey() == null) {
        report.add(
            step.forEach().position(),
            "step '%s' identifies its items only by their position in the list: if the order changes, a rerun handles other items"
                .formatted(step.id()),
            "Add itemKey, for example ${item.id}.");
      }
    }
  }
}
