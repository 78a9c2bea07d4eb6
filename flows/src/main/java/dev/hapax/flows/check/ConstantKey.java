package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import org.jspecify.annotations.Nullable;

/** A key that is the same for every run, so that only the first run does the work. */
final class ConstantKey implements KeyRule {
  @Override
  public String id() {
    return "constant-key";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public boolean needsWholeFile() {
    return true;
  }

  @Override
  public @Nullable String problem(FlowFile flow, Keys.Key key) {
    return key.template().isConstant()
        ? "is always '%s', so only the first run would do the work"
            .formatted(key.template().source())
        : null;
  }

  @Override
  public String fix() {
    return "Let it vary with the unit of work, for example ${input.orderId}.";
  }
}
