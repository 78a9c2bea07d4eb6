package dev.hapax.engine.pass;

import dev.hapax.engine.replay.ItemJournal;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.StepState;
import dev.hapax.engine.writing.OpenEffects;
import dev.hapax.flow.Failure;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Store;
import java.util.ArrayList;
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
  RunEntry.Ended ended(String output) {
    Failure partial = failedItems.get();
    return new RunEntry.Ended(
        partial == null ? RunStatus.SUCCEEDED : RunStatus.PARTIAL, output, partial);
  }

  /**
   * Returns the state of an item: its journal, and a person's decisions about it since. Runs one
   * after the other with {@link RunPass#writeBeside}, because rows that were read earlier must not
   * reopen what it settles. If this pass has reached the item before, it knows the item better than
   * the store does.
   */
  Replay learn(String item, List<JournalRow> rows) {
    OpenEffects open = pass.open();
    synchronized (open) {
      Replay known = replay.ofItem(item, rows);
      if (seen.add(item)) {
        open.learn(known);
      }
      return known;
    }
  }

  /** How items ended, according to their journals; null for those that have not. Only looks. */
  List<@Nullable StepState> endsOf(List<Step> items) {
    List<String> sections = items.stream().map(item -> String.valueOf(item.item())).toList();
    Map<String, List<JournalRow>> rows =
        store.itemRows(pass.number(), sections).stream()
            .collect(Collectors.groupingBy(row -> String.valueOf(row.item())));
    var ends = new ArrayList<@Nullable StepState>();
    for (Step item : items) {
      String section = String.valueOf(item.item());
      List<JournalRow> its = rows.getOrDefault(section, List.of());
      ends.add(new ItemJournal(section, replay.ofItem(section, its)).endOf(item));
    }
    return ends;
  }

  /** Returns the journal of an item, for its turn. */
  ItemJournal read(String section) {
    return new ItemJournal(
        section, learn(section, store.itemRows(pass.number(), List.of(section))));
  }

  /**
   * Records the effects of items that the run handled before it was retried with a corrected input,
   * and that its loops have not reached since.
   */
  void tellLeftBehind(Fiber body) {
    if (replay.isCorrected() && replay.hasLoops()) {
      body.commit(); // includes the entries that the fibers have handed over
      itemJournals()
          .forEach(
              (item, rows) -> {
                if (!isSeen(item)) {
                  var writer = pass.newWriter(item);
                  replay.ofItem(item, rows).unvisited().takeLeftBehind().forEach(writer::add);
                  writer.handOverTo(body.writer());
                }
              });
    }
  }

  private boolean isSeen(String item) {
    synchronized (pass.open()) {
      return seen.contains(item);
    }
  }

  private Map<String, List<JournalRow>> itemJournals() {
    return store.journal(pass.number()).stream()
        .filter(row -> row.item() != null)
        .collect(
            Collectors.groupingBy(
                row -> String.valueOf(row.item()), TreeMap::new, Collectors.toList()));
  }

  /** Learns the open effects and calls in the items of loops that this pass has not ended. */
  void learnUnvisited(Fiber body) {
    boolean isLeft =
        replay.steps().entrySet().stream()
            .anyMatch(
                step ->
                    step.getValue() instanceof StepState.Looping
                        && !endedLoops.contains(step.getKey()));
    if (isLeft) {
      body.commit(); // includes the entries that the fibers have handed over
      itemJournals().forEach((item, rows) -> pass.calls().learn(item, learn(item, rows)));
    }
  }
}
