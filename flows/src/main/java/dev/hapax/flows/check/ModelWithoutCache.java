package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;

/** A model that is asked again after a crash: it answers differently, and is paid twice. */
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
            "step '%s' asks the model again for each attempt (cache: none): the second answer differs and is paid for"
                .formatted(step.id()),
            "Remove cache, or use cache: flow to share the answer between runs.");
      }
    }
  }
}
