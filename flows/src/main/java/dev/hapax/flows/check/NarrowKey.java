package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import java.util.List;

/** An effect key that belongs to one run, so that a second run repeats the effect. */
final class NarrowKey implements Rule {
  @Override
  public String id() {
    return "narrow-key";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (Keys.Key key : Keys.of(flow)) {
      boolean ofRun =
          key.template().reach().paths().contains(List.of("run", "id"))
              || key.template().reach().paths().contains(List.of("run"));
      if (key.isEffect() && ofRun) {
        report.add(
            key.template().position(),
            "%s contains the run's id, so another run for the same order would do it again"
                .formatted(key.what()),
            "Key it on the business: ${input.orderId}. If each run shall do it: kind: additive.");
      }
    }
  }
}
