package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import org.jspecify.annotations.Nullable;

/** A key written by a language model: it differs each time. */
final class ModelKey implements KeyRule {
  @Override
  public String id() {
    return "model-key";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public @Nullable String problem(FlowFile flow, Keys.Key key) {
    for (Origins.Origin origin : Origins.of(key.template(), flow)) {
      for (FlowStep step : origin.steps()) {
        if (step.kind().isWrittenByModel()) {
          return "reaches the output of model step '%s', which differs each time"
              .formatted(step.id());
        }
      }
    }
    return null;
  }

  @Override
  public String fix() {
    return "Build it from the input of the model, for example ${input.ticketId}.";
  }
}
