package dev.hapax.app.observe;

import dev.hapax.flow.Run;
import dev.hapax.run.NewRun;

/** The parts of a run that never change and that an event shows. */
record RunName(String tenant, String id, String flow, String key) {
  static RunName of(NewRun run) {
    return new RunName(run.tenant(), run.id().toString(), run.flow(), run.key());
  }

  static RunName of(Run run) {
    return new RunName(run.tenant(), run.id().toString(), run.flow(), run.key());
  }
}
