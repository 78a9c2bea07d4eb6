package dev.hapax.flows.check;

import dev.hapax.flow.Flow;
import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;

/** A key per period of time, where a second start of the period is refused for its other input. */
final class BucketConflict implements Rule {
  @Override
  public String id() {
    return "bucket-conflict";
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
  public void check(FlowFile flow, Report report) {
    Template key = flow.key();
    if (key != null
        && flow.conflict() == Flow.Conflict.REJECT
        && key.reach().functions().contains("bucket")) {
      report.add(
          key.position(),
          "the key is the same for a whole period, and a second start with other input in it is refused with 409",
          "Add 'conflict: return', so that it gets the run of the period.");
    }
  }
}
