package dev.hapax.flows.check;

import dev.hapax.flow.Names;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;

/** A write to an entry of the map that belongs to Hapax itself; the step would fail. */
final class ReservedKey implements Rule {
  @Override
  public String id() {
    return "reserved-key";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public boolean appliesToReleases() {
    return false;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      Template key = step.kind().writtenEntry();
      if (key != null && key.source().startsWith(Names.RESERVED)) {
        report.add(
            step.kind().position(),
            "step '%s' writes to key '%s': keys that begin with '%s' are reserved for Hapax"
                .formatted(step.id(), key.source(), Names.RESERVED),
            "Choose another key.");
      }
    }
  }
}
