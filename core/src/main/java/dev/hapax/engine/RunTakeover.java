package dev.hapax.engine;

import dev.hapax.engine.code.FlowRegistry;
import dev.hapax.engine.code.FlowRelease;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.pass.Suspension;
import dev.hapax.engine.replay.Journals;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.limit.DestinationLimiter;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.StoredRun;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a run this process's own by taking over its row. A run whose code is not registered here,
 * or that has no slot yet, stays as it is. So does a run whose tenant must wait.
 */
final class RunTakeover {
  private static final Logger log = LoggerFactory.getLogger(RunTakeover.class);

  private final EngineParts parts;
  private final FlowRegistry flows;
  private final FlowRates rates;
  private final BooleanSupplier isShared;
  private final Settling settling;
  private final MissingCode missing;
  private final WaitingForCode waiting;
  private final TenantGate gate;

  /**
   * @param isShared whether another node may have the code that is missing here
   */
  RunTakeover(
      EngineParts parts,
      FlowRegistry flows,
      FlowRates rates,
      BooleanSupplier isShared,
      WaitingForCode waiting,
      MissingCode missing,
      TenantGate gate) {
    this.parts = parts;
    this.flows = flows;
    this.rates = rates;
    this.isShared = isShared;
    this.settling = new Settling(parts);
    this.waiting = waiting;
    this.missing = missing;
    this.gate = gate;
  }

  /** A run that belongs to this process, with the code of its release. */
  record Taken(Journals.Loaded run, Flow<?, ?> flow) {}

  /** Takes over the run; null if there is nothing to do. */
  @Nullable Taken take(long run) {
    boolean hasTurn = false;
    while (true) {
      Journals.Loaded loaded = parts.journals().load(run);
      if (loaded == null || loaded.run().status().isEnd()) {
        return null;
      }
      StoredRun stored = loaded.stored();
      Flow<?, ?> flow = codeFor(stored.run());
      Long owner = stored.run().owner();
      if (flow == null && owner != null && owner == parts.owner() && isShared.getAsBoolean()) {
        parts.journals().keep(loaded);
        if (isLeftToOthers(stored)) {
          return null;
        }
        continue;
      }
      if (flow == null) {
        missing.found(stored.run());
      }
      if (flow == null || waitsForSlot(stored.run())) {
        parts.journals().keep(loaded);
        return null;
      }
      if (owner != null && owner != parts.owner()) {
        return null;
      }
      if (!gate.entersOrWaits(stored.run().tenant(), run)) {
        parts.journals().keep(loaded);
        if (owner == null || isReleased(stored)) {
          return null;
        }
        continue;
      }
      if (owner != null) {
        if (isShared.getAsBoolean() && settling.hear(stored.run())) {
          parts.journals().keep(loaded);
          continue;
        }
        return new Taken(loaded, flow);
      }
      if (!hasTurn && rates.concerns(stored.run())) {
        parts.journals().keep(loaded);
        DestinationLimiter.Entry.Later later = rates.turnOf(stored.run(), parts.draining());
        if (parts.draining().getAsBoolean() || (later != null && letWait(stored, later))) {
          return null;
        }
        hasTurn = later == null;
        continue; // it may have been canceled meanwhile
      }
      var group =
          new Group(
              parts.ids().next(),
              parts.clock().now(),
              new Head.Unowned(run, stored.seq()),
              List.of(new Change.Take(parts.owner())),
              null);
      boolean landed = parts.committer().submit(group).await() instanceof GroupAnswer.Landed;
      // A decision wakes a run, and taking the run clears that. So decisions are looked for
      // afterwards; a later one wakes the run when it is released.
      boolean mayHear =
          isShared.getAsBoolean() && Settling.mayHaveDecisions(stored, loaded.hasLoops());
      if (landed && !mayHear) {
        return new Taken(loaded, flow);
      }
      parts.journals().keep(loaded);
    }
  }

  /**
   * Releases a run that this node has adopted and whose code is on another node. No other node
   * looks at the run until it is released, so this node retries until that succeeds. False if the
   * run must be read again, because another process wrote to it, or its code has arrived meanwhile.
   */
  private boolean isLeftToOthers(StoredRun stored) {
    waiting.isOurs(stored.run().number());
    if (!isReleased(stored)) {
      return false;
    }
    waiting.isReleased(stored.run()); // it may have waited while no other node was there
    return codeFor(stored.run()) == null;
  }

  /** Releases a run that this node has adopted and cannot continue now. */
  private boolean isReleased(StoredRun stored) {
    Run run = stored.run();
    RunStatus parked = settling.isAnyInReview(run) ? RunStatus.REVIEW : RunStatus.WAITING;
    RunStatus status = run.status() == RunStatus.COMPENSATING ? RunStatus.COMPENSATING : parked;
    var group =
        new Group(
            parts.ids().next(),
            parts.clock().now(),
            new Head.Owned(run.number(), parts.owner(), stored.seq()),
            List.of(new Change.Release(status, parts.clock().now())),
            null);
    return parts.committer().submit(group).await() instanceof GroupAnswer.Landed;
  }

  /**
   * Makes the run due at its turn, and not at its earlier due time; false if another writer was
   * faster. A cancel at the same moment wakes it once more.
   */
  private boolean letWait(StoredRun stored, DestinationLimiter.Entry.Later turn) {
    Run run = stored.run();
    Instant due = Objects.requireNonNull(Suspension.earlier(turn.at(), run.timeoutAt()));
    var group =
        new Group(
            parts.ids().next(),
            parts.clock().now(),
            new Head.Unowned(run.number(), stored.seq()),
            List.of(new Change.Take(parts.owner()), new Change.Release(RunStatus.QUEUED, due)),
            JournalRow.write(turn.isNews() ? List.of(QueuedStarts.awaited(turn)) : List.of()));
    boolean landed = parts.committer().submit(group).await() instanceof GroupAnswer.Landed;
    if (landed) {
      parts.timer().noteDue(run.number(), due);
    }
    return landed;
  }

  /** A run that is queued and not due has no slot yet; the commit that lets it in wakes it. */
  private boolean waitsForSlot(Run run) {
    Instant due = run.dueAt();
    boolean waits =
        run.status() == RunStatus.QUEUED
            && run.owner() == null
            && run.cancel() == null
            && (due == null || due.isAfter(parts.clock().now()));
    if (waits && due != null) {
      parts.timer().noteDue(run.number(), due); // its timeout continues meanwhile
    }
    return waits;
  }

  /** Finds the run's code. Without it the run stays as it is until the code is registered. */
  private @Nullable Flow<?, ?> codeFor(Run run) {
    FlowRelease release = FlowRelease.of(run);
    Flow<?, ?> flow = flows.find(release);
    if (flow != null) {
      return flow;
    }
    log.debug(
        "run {} waits for the code of flow '{}' release {}", run.id(), run.flow(), run.release());
    waiting.add(run);
    return flows.find(release); // registered between the two looks
  }
}
