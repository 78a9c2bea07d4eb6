package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;

/** A model that is asked again by other items and steps with the same question. */
final class ModelWithoutCache implements Rule {
  @Override
  public String id() {
    return "model-without-cache";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      if (step.kind().isWrittenByModel() && !step.kind().keepsItsAnswer()) {
        report.add(
            step.kind().position(),
            "step '%s' shares its answer with no other item or step of the run (cache: none): the same question is paid for again"
                .formatted(step.id()),
            "Remove cache, or use cache: flow to share the answer between runs.");
      }
    }
  }
}
