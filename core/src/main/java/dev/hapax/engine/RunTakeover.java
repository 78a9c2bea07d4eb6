package dev.hapax.engine;

import dev.hapax.flow.Flow;
import dev.hapax.limit.DestinationLimiter;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.JournalRow;
import dev.hapax.run.NewRun;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.StoredRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a run this process's own by taking over its row. A run whose code is not registered here,
 * or that has no slot yet, stays as it is.
 */
final class RunTakeover {
  private static final Logger log = LoggerFactory.getLogger(RunTakeover.class);
  private static final int MOST_LEFT_TO_OTHERS = 10_000;
  private static final Duration LEFT_FOR = Duration.ofMinutes(1);

  private final EngineParts parts;
  private final Code code;
  private final FlowRates rates;
  private final BooleanSupplier isShared;
  private final Settling settling;
  private final MissingCode missing;
  private final ConcurrentMap<Releases.Release, Set<Long>> withoutCode = new ConcurrentHashMap<>();
  // Guarded by itself: runs whose code is on other nodes, and since when, so that not every look
  // for due runs loads them. The oldest go first.
  private final LinkedHashMap<Long, Long> leftToOthers = new LinkedHashMap<>();

  /** Finds the code of a release; null if there is none. */
  @FunctionalInterface
  interface Code {
    @Nullable Flow<?, ?> find(Releases.Release release);
  }

  /**
   * @param isShared whether another node may have the code that is missing here
   * @param wake looks at a run once more
   */
  RunTakeover(
      EngineParts parts, Code code, FlowRates rates, BooleanSupplier isShared, LongConsumer wake) {
    this.parts = parts;
    this.code = code;
    this.rates = rates;
    this.isShared = isShared;
    this.settling = new Settling(parts);
    this.missing =
        new MissingCode(
            parts, isShared, release -> waitFor(release).forEach(run -> wake.accept(run)));
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
      boolean mayHear = isShared.getAsBoolean() && Settling.mayHaveDecisions(stored);
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
    Run run = stored.run();
    isOurs(run.number());
    RunStatus waiting = settling.isAnyInReview(run) ? RunStatus.REVIEW : RunStatus.WAITING;
    RunStatus status = run.status() == RunStatus.COMPENSATING ? RunStatus.COMPENSATING : waiting;
    var group =
        new Group(
            parts.ids().next(),
            parts.clock().now(),
            new Head.Owned(run.number(), parts.owner(), stored.seq()),
            List.of(new Change.Release(status, parts.clock().now())),
            null);
    return parts.committer().submit(group).await() instanceof GroupAnswer.Landed
        && codeFor(run) == null;
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
            JournalRow.write(turn.isNews() ? List.of(awaited(turn)) : List.of()));
    boolean landed = parts.committer().submit(group).await() instanceof GroupAnswer.Landed;
    if (landed) {
      parts.timer().noteDue(run.number(), due);
    }
    return landed;
  }

  /** Makes a run durable that must wait before it begins. */
  void accept(NewRun run, DestinationLimiter.Entry.Later turn, PendingStart pendingStart) {
    Instant due = Objects.requireNonNull(Suspension.earlier(turn.at(), run.timeoutAt()));
    var group =
        new Group(
            parts.ids().next(),
            parts.clock().now(),
            new Head.Insert(run, parts.owner()), // one without an owner would be due at once
            List.of(new Change.Release(RunStatus.QUEUED, due)),
            JournalRow.write(List.of(awaited(turn))));
    parts
        .committer()
        .submit(
            group,
            pendingStart.then(
                answer -> {
                  switch (answer) {
                    case GroupAnswer.Landed _, GroupAnswer.Queued _ ->
                        parts.timer().noteDue(run.number(), due);
                    default -> rates.forget(run);
                  }
                }));
  }

  private static JournalEntry awaited(DestinationLimiter.Entry.Later turn) {
    return new JournalEntry.TurnAwaited(null, turn.because(), turn.at());
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
    Flow<?, ?> flow = code.find(Releases.Release.of(run));
    if (flow != null) {
      return flow;
    }
    log.debug(
        "run {} waits for the code of flow '{}' release {}", run.id(), run.flow(), run.release());
    remember(run);
    return code.find(Releases.Release.of(run)); // registered between the two looks
  }

  private void remember(Run run) {
    if (!isShared.getAsBoolean()) {
      withoutCode
          .computeIfAbsent(Releases.Release.of(run), _ -> ConcurrentHashMap.newKeySet())
          .add(run.number());
      return;
    }
    synchronized (leftToOthers) {
      leftToOthers.put(run.number(), parts.clock().nanos());
      if (leftToOthers.size() > MOST_LEFT_TO_OTHERS) {
        leftToOthers.pollFirstEntry();
      }
    }
  }

  /** Whether this run is ours and cannot go on, because its code is not here. */
  boolean waitsForCode(Run run) {
    Set<Long> waiting = withoutCode.get(Releases.Release.of(run));
    return waiting != null && waiting.contains(run.number());
  }

  /** The releases whose code is not here. */
  MissingCode missing() {
    return missing;
  }

  /** The runs here that wait for this release; all, if this node left runs to others. */
  private Collection<Long> waitFor(Releases.Release release) {
    synchronized (leftToOthers) {
      if (!leftToOthers.isEmpty()) {
        List<Long> left = List.copyOf(leftToOthers.keySet());
        leftToOthers.clear();
        return left;
      }
    }
    Set<Long> waiting = withoutCode.get(release);
    return waiting == null ? List.of() : List.copyOf(waiting);
  }

  /** This node has adopted the run, so no other node looks at it now, even if it has the code. */
  void isOurs(long run) {
    synchronized (leftToOthers) {
      leftToOthers.remove(run);
    }
  }

  /** Whether other nodes have the code of this run, and this node did not have it a moment ago. */
  boolean isLeftToOthers(long run) {
    synchronized (leftToOthers) {
      Long since = leftToOthers.get(run);
      return since != null && parts.clock().nanos() - since < LEFT_FOR.toNanos();
    }
  }

  /**
   * Returns the runs that waited for code that is there now, or may be. Runs that were left to
   * other nodes are found by another look at what is due.
   */
  Collection<Long> waitedFor(Predicate<Releases.Release> isThere) {
    missing.forget(isThere);
    synchronized (leftToOthers) {
      leftToOthers.clear();
    }
    List<Long> waited = new ArrayList<>();
    for (Releases.Release release : withoutCode.keySet()) {
      var runs = isThere.test(release) ? withoutCode.remove(release) : null;
      if (runs != null) {
        waited.addAll(runs);
      }
    }
    return waited;
  }
}
