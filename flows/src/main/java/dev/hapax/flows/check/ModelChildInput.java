package dev.hapax.flows.check;

import dev.hapax.flows.check.ModelReach.Origin;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;

/** A child whose input a model wrote, and whose key may be computed from that input. */
final class ModelChildInput implements Rule {
  @Override
  public String id() {
    return "model-child-input";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    ModelReach models = ModelReach.in(flow);
    for (FlowStep step : flow.allSteps()) {
      if (step.kind().childFlow() == null || step.kind().childKey() != null) {
        continue;
      }
      Origin origin = models.originOf(step.kind().templates(), step);
      if (origin != null) {
        report.add(
            step.kind().position(),
            "step '%s' gives the output of model step '%s' to flow '%s': if that flow makes its key of it, another answer is another run"
                .formatted(step.id(), origin.model().id(), step.kind().childFlow()),
            "Add key, with the value that the other flow makes from the rest of its input, for"
                + " example key: ${input.ticketId}.");
      }
    }
  }
}
