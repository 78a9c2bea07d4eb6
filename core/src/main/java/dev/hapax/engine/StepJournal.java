package dev.hapax.engine;

import dev.hapax.run.JournalEntry;
import dev.hapax.run.JournalRow;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Step;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of a run's journal that holds one step: the run's own part, or the lane of its item.
 *
 * @param claim the last claim of the step, if it is an effect
 */
record StepJournal(Replay replay, JournalEntry.@Nullable Claimed claim) {

  static StepJournal of(Store store, StoredRun stored, Step step) {
    Replay own = Replay.of(stored.journal());
    String lane = step.outermostItem();
    if (lane == null || own.stateOf(step) != null) {
      return new StepJournal(own, lastClaim(stored.journal(), step));
    }
    List<JournalRow> rows = store.lanes(stored.run().number(), List.of(lane));
    return new StepJournal(own.ofLane(lane, rows), lastClaim(rows, step));
  }

  /** A whole journal: the run's own part, and each lane. */
  static List<Replay> replays(List<JournalRow> whole) {
    Replay own = Replay.of(whole.stream().filter(row -> row.lane() == null).toList());
    List<Replay> all = new ArrayList<>(List.of(own));
    whole.stream()
        .filter(row -> row.lane() != null)
        .collect(Collectors.groupingBy(row -> String.valueOf(row.lane())))
        .forEach((lane, rows) -> all.add(own.ofLane(lane, rows)));
    return all;
  }

  /** Returns whether the run waits for a person to settle one of its effects. */
  static boolean isInReview(Run run, Store store) {
    boolean isToEnd = run.status() == RunStatus.CANCELING || run.status() == RunStatus.COMPENSATING;
    if (!isToEnd || run.owner() != null || run.dueAt() != null) {
      return run.status() == RunStatus.REVIEW;
    }
    // It is to end and has no due time: it waits for an effect in review, or for children that are
    // to end.
    return replays(store.journal(run.number())).stream()
        .flatMap(replay -> replay.steps().values().stream())
        .anyMatch(StepState.Open.class::isInstance);
  }

  /** The origin of an update, so that a rerun of the same work finds what a person has settled. */
  @Nullable String origin() {
    return claim == null ? null : claim.origin();
  }

  private static JournalEntry.@Nullable Claimed lastClaim(List<JournalRow> journal, Step step) {
    JournalEntry.Claimed found = null;
    for (JournalRow row : journal) {
      for (JournalEntry entry : row.readEntries()) {
        if (entry instanceof JournalEntry.Claimed of && of.step().equals(step)) {
          found = of;
        }
      }
    }
    return found;
  }
}
