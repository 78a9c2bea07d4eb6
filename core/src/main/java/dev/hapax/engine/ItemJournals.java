package dev.hapax.engine;

import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.JournalRow;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Step;
import dev.hapax.store.Store;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The loops of a run during one stay in memory; each item has its own part of the journal. */
final class ItemJournals {
  private final Store store;
  private final RunPass pass;
  private final Replay replay;
  private final AtomicReference<@Nullable Failure> failedItems = new AtomicReference<>();
  private final Set<Step> endedLoops = ConcurrentHashMap.newKeySet();
  private final Set<String> seen = new HashSet<>(); // guarded by the pass's open effects

  ItemJournals(Store store, RunPass pass, Replay replay) {
    this.store = store;
    this.pass = pass;
    this.replay = replay;
  }

  /** A loop has items that failed. */
  void notePartial(Failure failure) {
    failedItems.compareAndSet(null, failure);
  }

  void loopEnded(Step loop) {
    endedLoops.add(loop);
  }

  /** A run with items that failed is partial: it has its output, and can be retried. */
  JournalEntry.Ended ended(String output) {
    Failure partial = failedItems.get();
    return new JournalEntry.Ended(
        partial == null ? RunStatus.SUCCEEDED : RunStatus.PARTIAL, output, partial);
  }

  /**
   * Returns the state of a lane: its journal, and a person's decisions about it since. Runs one
   * after the other with {@link RunPass#writeBeside}, because rows that were read earlier must not
   * reopen what it settles. If this pass has reached the lane before, it knows the lane better than
   * the store does.
   */
  Replay learn(String lane, List<JournalRow> rows) {
    OpenEffects open = pass.open();
    synchronized (open) {
      Replay known = replay.ofLane(lane, rows);
      if (seen.add(lane)) {
        open.learn(known);
      }
      return known;
    }
  }

  /**
   * Records the effects of items that the run handled before it was retried with a corrected input,
   * and that its loops have not reached since.
   */
  void tellLeftBehind(Fiber body) {
    if (replay.isCorrected() && replay.hasLoops()) {
      body.commit(); // includes the entries that the fibers have handed over
      lanes()
          .forEach(
              (lane, rows) -> {
                if (!isSeen(lane)) {
                  var writer = pass.newWriter(lane);
                  replay.ofLane(lane, rows).unvisited().takeLeftBehind().forEach(writer::add);
                  writer.handOverTo(body.writer());
                }
              });
    }
  }

  private boolean isSeen(String lane) {
    synchronized (pass.open()) {
      return seen.contains(lane);
    }
  }

  private Map<String, List<JournalRow>> lanes() {
    return store.journal(pass.number()).stream()
        .filter(row -> row.lane() != null)
        .collect(
            Collectors.groupingBy(
                row -> String.valueOf(row.lane()), TreeMap::new, Collectors.toList()));
  }

  /** Learns the open effects and calls in the lanes of loops that this pass has not ended. */
  void learnUnvisited(Fiber body) {
    boolean isLeft =
        replay.steps().entrySet().stream()
            .anyMatch(
                step ->
                    step.getValue() instanceof StepState.Looping
                        && !endedLoops.contains(step.getKey()));
    if (isLeft) {
      body.commit(); // includes the entries that the fibers have handed over
      lanes().forEach((lane, rows) -> pass.calls().learn(lane, learn(lane, rows)));
    }
  }
}
