package dev.hapax.engine.pass;

import dev.hapax.effect.RunPort;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.Replay;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds back the runs of a release that drains, until the runs of other releases that were started
 * before them have ended. The oldest run never waits, so there is no cycle. A run that is queued
 * for a slot is not waited for, because it may be queued behind the slot of the run that would
 * wait.
 */
final class Drain {
  private static final Set<RunStatus> UNDER_WAY =
      Set.of(
          RunStatus.RUNNING,
          RunStatus.WAITING,
          RunStatus.REVIEW,
          RunStatus.COMPENSATING,
          RunStatus.CANCELING);

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final RunPort run;
  private final EngineParts parts;
  private final Replay replay;

  Drain(RunPort run, EngineParts parts, Replay replay) {
    this.run = run;
    this.parts = parts;
    this.replay = replay;
  }

  /** Called before the body runs. Unwinds the thread of a run that must wait. */
  void holdBack(Flow<?, ?> flow) {
    if (flow.onNewRelease() == Flow.OnNewRelease.COEXIST
        || replay.hasStarted()
        || run.isStopping()) {
      return;
    }
    Run before = before(flow);
    if (before == null) {
      return;
    }
    Instant until = lookAgainAt();
    String because =
        "runs of release %d that were started before have not ended".formatted(before.release());
    if (!because.equals(replay.heldBackBecause())) { // recorded once, however often it looks
      run.add(new RunEntry.TurnAwaited(null, because, until));
    }
    throw run.park(RunStatus.WAITING, until);
  }

  private @Nullable Run before(Flow<?, ?> flow) {
    var filter =
        new RunFilter(run.identity().tenant(), flow.name(), null, null, run.identity().run(), 1)
            .anyOf(UNDER_WAY)
            .notOfRelease(flow.release());
    List<Run> found = parts.store().runs(filter);
    return found.isEmpty() ? null : found.getFirst();
  }

  /** The longer the run has waited, the longer the next wait may be. */
  private Instant lookAgainAt() {
    Instant now = parts.clock().now();
    Duration tenth = Duration.between(IdSource.timeOf(run.identity().run()), now).dividedBy(10);
    Duration pause =
        tenth.compareTo(SHORTEST) < 0 ? SHORTEST : tenth.compareTo(LONGEST) > 0 ? LONGEST : tenth;
    return now.plus(pause);
  }
}
