package dev.hapax.engine.replay;

import dev.hapax.flow.Names;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of a run's journal that holds one step: the run's own part, or the journal of its item.
 *
 * @param claim the last claim of the step, if it is an effect
 * @param isRound whether the step is a round of a loop
 */
public record StepJournal(Replay replay, EffectEntry.@Nullable Claimed claim, boolean isRound) {

  public static StepJournal of(Store store, StoredRun stored, Step step) {
    Replay own = Replay.of(stored.journal());
    String item = step.outermostItem();
    if (item == null || own.stateOf(step) != null) {
      return new StepJournal(
          own, lastClaim(stored.journal(), step), hasRound(stored.journal(), step));
    }
    List<JournalRow> rows = store.itemRows(stored.run().number(), List.of(item));
    return new StepJournal(
        own.ofItem(item, rows),
        lastClaim(rows, step),
        hasRound(stored.journal(), step) || hasRound(rows, step));
  }

  /** A whole journal: the run's own part, and that of each item. */
  public static List<Replay> replays(List<JournalRow> whole) {
    Replay own = Replay.of(whole.stream().filter(row -> row.item() == null).toList());
    List<Replay> all = new ArrayList<>(List.of(own));
    whole.stream()
        .filter(row -> row.item() != null)
        .collect(Collectors.groupingBy(row -> String.valueOf(row.item())))
        .forEach((item, rows) -> all.add(own.ofItem(item, rows)));
    return all;
  }

  /** Returns whether the run waits for a person to settle one of its effects. */
  public static boolean isInReview(Run run, Store store) {
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
  public @Nullable String origin() {
    return claim == null ? null : claim.origin();
  }

  private static boolean hasRound(List<JournalRow> journal, Step step) {
    return journal.stream()
        .flatMap(row -> row.readEntries().stream())
        .anyMatch(
            entry ->
                entry instanceof LoopEntry.LoopStarted loop
                    && loop.hasRounds()
                    && isRoundOf(loop.step(), step));
  }

  private static boolean isRoundOf(Step loop, Step step) {
    String outer = loop.item() == null ? "" : loop.item() + Names.BETWEEN_ITEMS;
    String item = step.item();
    return item != null
        && item.startsWith(outer)
        && item.substring(outer.length()).chars().allMatch(Character::isDigit)
        && new Step(step.name(), loop.item(), step.round()).equals(loop);
  }

  private static EffectEntry.@Nullable Claimed lastClaim(List<JournalRow> journal, Step step) {
    EffectEntry.Claimed found = null;
    for (JournalRow row : journal) {
      for (JournalEntry entry : row.readEntries()) {
        if (entry instanceof EffectEntry.Claimed of && of.step().equals(step)) {
          found = of;
        }
      }
    }
    return found;
  }
}
