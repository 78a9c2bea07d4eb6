package dev.hapax.flows.check;

import dev.hapax.flows.check.ModelReach.Origin;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A key written by a language model: it differs each time. */
final class ModelKey implements Rule {
  @Override
  public String id() {
    return "model-key";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    ModelReach models = ModelReach.in(flow);
    for (Keys.Key key : Keys.withEntries(flow)) {
      Origin origin = originOf(models, key);
      if (origin != null && origin.isSure()) {
        report.add(
            key.template().position(),
            "%s reaches the output of model step '%s', which differs each time"
                .formatted(key.what(), origin.model().id()),
            "Build it from the input of the model, for example ${input.ticketId}.");
      }
    }
  }

  /** The items of a recorded list stay the same, so the key of an item may come from it. */
  static @Nullable Origin originOf(ModelReach models, Keys.Key key) {
    FlowStep at = key.isEffect() || key.step() == null || !isItemKey(key) ? key.step() : null;
    return models.originOf(Stream.of(key.template()), at);
  }

  private static boolean isItemKey(Keys.Key key) {
    FlowStep step = key.step();
    FlowStep.ForEach loop = step == null ? null : step.forEach();
    return loop != null && key.template().equals(loop.itemKey());
  }
}
