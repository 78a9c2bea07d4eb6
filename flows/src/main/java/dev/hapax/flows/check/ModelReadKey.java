package dev.hapax.flows.check;

import dev.hapax.flows.check.ModelReach.Origin;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;

/** A key from an answer to a question that a language model wrote: it may differ each time. */
final class ModelReadKey implements Rule {
  @Override
  public String id() {
    return "model-read-key";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    ModelReach models = ModelReach.in(flow);
    for (Keys.Key key : Keys.withEntries(flow)) {
      Origin origin = ModelKey.originOf(models, key);
      FlowStep asked = origin == null ? null : origin.asked();
      if (origin != null && asked != null) {
        report.add(
            key.template().position(),
            "%s reaches the answer of step '%s', which was asked with the output of model step '%s': another output may be another answer"
                .formatted(key.what(), asked.id(), origin.model().id()),
            "Build it from the input of the model, for example ${input.ticketId}.");
      }
    }
  }
}
