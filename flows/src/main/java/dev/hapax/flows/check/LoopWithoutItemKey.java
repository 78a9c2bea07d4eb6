package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;

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
    for (Step step : flow.allSteps()) {
      if (step.forEach() != null && step.forEach().itemKey() == null) {
        report.add(
            step.forEach().position(),
            "step '%s' knows its items by their place in the list only: if the order changes, a rerun touches others"
                .formatted(step.id()),
            "Add itemKey, for example ${item.id}.");
      }
    }
  }
}
