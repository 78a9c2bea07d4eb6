package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;

/** A key that is the same for every run, so that only the first run does the work. */
final class ConstantKey implements Rule {
  @Override
  public String id() {
    return "constant-key";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (Keys.Key key : Keys.of(flow)) {
      if (key.template().isConstant()) {
        report.add(
            key.template().position(),
            "%s is always '%s', so only the first run would do the work"
                .formatted(key.what(), key.template().source()),
            "Let it vary with the unit of work, for example ${input.orderId}.");
      }
    }
  }
}
