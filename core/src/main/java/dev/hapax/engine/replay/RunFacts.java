package dev.hapax.engine.replay;

import dev.hapax.effect.RunPort;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Run;
import dev.hapax.run.NewRun;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The facts of a run that do not change while it is in memory. */
public record RunFacts(
    RunPort.Identity identity, String input, @Nullable Instant timeoutAt, int depth) {
  public RunFacts withInput(String earlier) {
    return new RunFacts(identity, earlier, timeoutAt, depth);
  }

  /** With an input that a person has corrected: it counts into the origin of updates. */
  public RunFacts corrected(String other, Fingerprint fingerprint) {
    var of =
        new RunPort.Identity(
            identity.tenant(),
            identity.flow(),
            identity.run(),
            identity.id(),
            identity.key(),
            fingerprint);
    return new RunFacts(of, other, timeoutAt, depth);
  }

  public static RunFacts of(NewRun run) {
    var identity =
        new RunPort.Identity(
            run.tenant(), run.flow(), run.number(), run.id(), run.key(), run.fingerprint());
    return new RunFacts(identity, run.input(), run.timeoutAt(), run.depth());
  }

  public static RunFacts of(Run run) {
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
