package dev.hapax.flows.step;

import dev.hapax.flow.Flow;
import dev.hapax.flows.file.StepKind;
import dev.hapax.json.Json;
import org.jspecify.annotations.Nullable;

/** Runs another flow as a child run. */
final class ChildStep {
  private ChildStep() {}

  static @Nullable Object run(StepRun step, StepKind.ChildFlow child) {
    Flow<?, ?> flow = step.services().flows().apply(child.name());
    if (flow == null && step.isDraft()) { // a flow in Java would send
      return step.run().step(step.id(), () -> step.sample(null), Object.class);
    }
    if (flow == null) {
      throw step.failed(
          "unknown-flow",
          "there is no flow '%s' here. Load or register it, then retry the run."
              .formatted(child.name()));
    }
    Object input =
        Guarded.<@Nullable Object>prepared(
            step, () -> child.input() == null ? null : child.input().value(step.scope()));
    String key =
        Guarded.<@Nullable String>prepared(
            step, () -> child.key() == null ? null : step.text(child.key()));
    Object output = call(step, flow, key, input);
    return output == null ? null : Json.read(Json.write(output), Object.class);
  }

  private static <I, O> @Nullable O call(
      StepRun step, Flow<I, O> flow, @Nullable String key, @Nullable Object input) {
    I typed = Json.read(input == null ? "{}" : Json.write(input), flow.input());
    return key == null
        ? step.run().call(step.id(), flow, typed)
        : step.run().call(step.id(), flow, key, typed);
  }
}
