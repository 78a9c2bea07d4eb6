package dev.hapax.testkit.promise;

import dev.hapax.flow.Names;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Promise 3 for loops: each item ends once, and only failed items end again after a retry; a loop
 * counts the outcomes of its items; and a run is partial exactly when some of its items failed.
 * {@link FinishedStepsStayFinished} checks that no item's code is called after its end.
 */
public final class ItemsAreHandledOnce implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (Run run : evidence.runs()) {
      new Fold(run, broken).read(evidence.journal(run));
    }
    return broken;
  }

  /** Reads one journal. */
  private static final class Fold {
    private final Run run;
    private final List<String> broken;
    private final Map<Step, Boolean> itemFailed = new HashMap<>();
    private final Map<Step, Long> loops = new HashMap<>();
    private final Set<Step> rounds = new HashSet<>();
    private boolean someFailed;
    private boolean hasOtherInput;
    private boolean isReplayed;

    Fold(Run run, List<String> broken) {
      this.run = run;
      this.broken = broken;
    }

    void read(List<JournalLine> journal) {
      for (JournalLine line : journal) {
        switch (line.entry()) {
          case LoopEntry.LoopStarted started when started.hasRounds() -> rounds.add(started.step());
          case LoopEntry.LoopStarted started -> loops.put(started.step(), started.items());
          case LoopEntry.ItemEnded(Step step, var error, var _) -> ended(step, error != null);
          case LoopEntry.LoopEnded loop -> ended(loop);
          case RunEntry.Retried retried -> retried(retried.input() != null);
          case RunEntry.Replayed _ -> {
            retried(true); // some items are handled again
            isReplayed = true; // and failed ones of other loops are kept
          }
          case StepEntry.StepSettled(Step step, var _, var _, var _) -> itemFailed.remove(step);
          case RunEntry.Ended end -> ended(end);
          case StepEntry _, EffectEntry _, WaitEntry _, CallEntry _, LockEntry _, RunEntry _ -> {}
        }
      }
    }

    private void ended(Step item, boolean failed) {
      if (itemFailed.putIfAbsent(item, failed) != null) {
        report("item " + item + " ended twice");
      }
    }

    private void ended(LoopEntry.LoopEnded loop) {
      Long items = loops.get(loop.step());
      boolean isKnown = (items != null || !hasOtherInput) && !rounds.contains(loop.step());
      if (isKnown && (items == null || items != loop.succeeded() + loop.failed())) {
        report("loop %s of %s items ended as %s".formatted(loop.step(), items, loop));
      }
      long succeeded = itemsOf(loop.step(), false);
      long failed = itemsOf(loop.step(), true);
      if (!hasOtherInput && (succeeded != loop.succeeded() || failed != loop.failed())) {
        report(
            "loop %s ended as %s, but %d of its items succeeded and %d failed"
                .formatted(loop.step(), loop, succeeded, failed));
      }
      someFailed |= loop.failed() > 0;
    }

    /** Counts the loop's own items that ended so. Items of loops inside it have another name. */
    private long itemsOf(Step loop, boolean asFailed) {
      String outer = loop.item() == null ? "" : loop.item() + Names.BETWEEN_ITEMS;
      return itemFailed.entrySet().stream()
          .filter(
              item ->
                  item.getKey().name().equals(loop.name())
                      && Objects.equals(item.getKey().round(), loop.round())
                      && String.valueOf(item.getKey().item()).startsWith(outer))
          .filter(item -> item.getValue() == asFailed)
          .count();
    }

    /**
     * Handles a retry: failed items are done again. With another input there may be other items.
     */
    private void retried(boolean otherInput) {
      itemFailed.values().removeIf(failed -> failed);
      someFailed = false;
      hasOtherInput |= otherInput;
      if (otherInput) {
        itemFailed.clear();
        loops.clear();
      }
    }

    private void ended(RunEntry.Ended end) {
      if (end.status() == RunStatus.SUCCEEDED && someFailed) {
        report("it succeeded though items failed");
      }
      if (end.status() == RunStatus.PARTIAL && !someFailed && !isReplayed) {
        report("it is partial, but no item failed");
      }
    }

    private void report(String what) {
      broken.add("run %s: %s".formatted(run.id(), what));
    }
  }
}
