package dev.hapax.engine;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the quarantine must know of a run whose journal it does not read.
 *
 * @param status what the run was doing when it was quarantined
 * @param cancelTold whether its journal holds the cancel that was requested
 * @param notSent effects that a person has settled as not happened since
 */
record QuarantineState(RunStatus status, boolean cancelTold, List<Long> notSent) {
  QuarantineState {
    notSent = List.copyOf(notSent);
  }

  /** A pass that begins to undo what was done writes down why, and so the cancel. */
  static QuarantineState of(Run run) {
    boolean isTold = run.status() == RunStatus.COMPENSATING && run.cancel() != null;
    return new QuarantineState(run.status(), isTold, List.of());
  }

  QuarantineState told() {
    return new QuarantineState(status, true, notSent);
  }

  QuarantineState notSent(long effect) {
    Stream<Long> all = Stream.concat(notSent.stream(), Stream.of(effect)).distinct();
    return new QuarantineState(status, cancelTold, all.toList());
  }

  /** Whether the run undoes its effects, or is to: only its own code can, so it must go on. */
  @JsonIgnore
  boolean mustUndo(Run run) {
    Run.Cancel wish = run.cancel();
    return status == RunStatus.COMPENSATING || (wish != null && wish.compensate());
  }

  /** The status of the run when it goes on. A run that has begun to undo never goes forward. */
  @JsonIgnore
  RunStatus statusAfter(Run run) {
    if (status == RunStatus.COMPENSATING) {
      return RunStatus.COMPENSATING;
    }
    return run.cancel() == null ? RunStatus.QUEUED : RunStatus.CANCELING;
  }
}
