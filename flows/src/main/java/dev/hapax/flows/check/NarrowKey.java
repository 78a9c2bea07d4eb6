package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An effect key that belongs to one run, so that a second run repeats the effect. */
final class NarrowKey implements KeyRule {
  @Override
  public String id() {
    return "narrow-key";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public @Nullable String problem(FlowFile flow, Keys.Key key) {
    boolean ofRun =
        key.template().reach().paths().contains(List.of("run", "id"))
            || key.template().reach().paths().contains(List.of("run"));
    return key.isEffect() && ofRun
        ? "contains the run's id, so another run for the same order would do it again"
        : null;
  }

  @Override
  public String fix() {
    return "Use a business id: ${input.orderId}. If every run should do it, set kind: additive.";
  }
}
