package dev.hapax.engine;

import dev.hapax.effect.RunPort;
import dev.hapax.run.NewRun;
import dev.hapax.run.Run;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The facts of a run that do not change while it is in memory. */
record RunFacts(RunPort.Identity identity, String input, @Nullable Instant timeoutAt, int depth) {
  RunFacts withInput(String earlier) {
    return new RunFacts(identity, earlier, timeoutAt, depth);
  }

  static RunFacts of(NewRun run) {
    var identity =
        new RunPort.Identity(
            run.tenant(), run.flow(), run.number(), run.id(), run.key(), run.fingerprint());
    return new RunFacts(identity, run.input(), run.timeoutAt(), run.depth());
  }

  static RunFacts of(Run run) {
    var identity =
        new RunPort.Identity(
            run.tenant(),
            run.flow(),
            run.number(),
            run.id(),
            run.key(),
            run.fingerprints().getLast());
    return new RunFacts(identity, run.input(), run.timeoutAt(), run.depth());
  }
}
