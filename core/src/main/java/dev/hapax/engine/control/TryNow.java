package dev.hapax.engine.control;

import dev.hapax.engine.Engine;
import dev.hapax.engine.replay.StepJournal;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Change;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import java.time.Instant;
import java.util.List;

/**
 * A person asks for the next attempts of a run now, because the reason of the failure is gone. Only
 * pauses between attempts end. What protects the destination, or proves that something did not
 * happen, is asked again before each call, and does not depend on these pauses.
 */
public final class TryNow {
  /** A run that is about to leave the memory of this node does so within a few looks. */
  private static final int LOOKS = 20;

  private final Engine engine;
  private final Store store;
  private final RunControl control;

  public TryNow(Engine engine, Store store, RunControl control) {
    this.engine = engine;
    this.store = store;
    this.control = control;
  }

  /** The request is durable when this returns; the run may be on any node. */
  public void tryNow(RunId id, String actor) {
    RunControl.refuseUnstorable(actor, null);
    var entry = new RunEntry.TriedNow(actor);
    for (int tries = 0; ; tries++) {
      StoredRun stored = control.load(id);
      Run run = stored.run();
      refuseUnlessPausing(run);
      if (control.landed(tries, stored, List.of(entry), List.of(new Change.Wake()))
          || engine.writeInMemory(run.number(), entry)) {
        return;
      }
      if (run.owner() != null && engine.isShared() && tries >= LOOKS) {
        throw new NotPossible(
            "run %s is at work on another node, with other steps than those that wait for their next attempt. Repeat the call when it waits"
                .formatted(id));
      }
    }
  }

  private void refuseUnlessPausing(Run run) {
    if (run.isQuarantined()) {
      throw new NotPossible(
          "run %s is quarantined, so nothing of it is tried: resume it first".formatted(run.id()));
    }
    Instant now = engine.clock().now();
    boolean isPausing =
        !run.status().isEnd()
            && StepJournal.replays(store.journal(run.number())).stream()
                .flatMap(replay -> replay.steps().values().stream())
                .anyMatch(state -> state.pausesAt(now));
    if (!isPausing) {
      throw new NotPossible(
          "no step of run %s waits for its next attempt: the run is %s%s"
              .formatted(run.id(), run.shownStatus().word(), insteadFor(run)));
    }
  }

  private static String insteadFor(Run run) {
    RunStatus status = run.shownStatus();
    return switch (status) {
      case FAILED, PARTIAL -> ". Retry it";
      case REVIEW -> ". Settle its effect in review";
      default -> status.isEnd() ? "" : ". Its waits say what it continues after";
    };
  }
}
