package dev.hapax.engine;

import dev.hapax.effect.EffectStep;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a run has sent, is done and says how to undo, in the order in which it was done. Folded from
 * its journal; what says nothing about its undo leaves nothing here.
 */
final class Undoables {
  private final Map<Step, Claimed> claimed = new HashMap<>();
  private final Map<Step, Integer> times = new HashMap<>();
  private final List<Undoable> done = new ArrayList<>();

  private record Claimed(JournalEntry.Claimed claim, long effect, int revision) {}

  /**
   * An effect that the run has done.
   *
   * @param undo the step that undoes it
   * @param output JSON text of its result
   * @param isFound whether it was there before the run sent it
   */
  record Undoable(
      Step undo,
      JournalEntry.Claimed claim,
      long effect,
      int revision,
      @Nullable String output,
      boolean isFound) {

    String name() {
      return "'%s' '%s'".formatted(claim.name(), claim.key());
    }
  }

  void claimed(JournalEntry.Claimed claim, long effect, int revision) {
    if (Boolean.TRUE.equals(claim.undoable())) {
      claimed.put(claim.step(), new Claimed(claim, effect, revision));
    }
  }

  /** The step has its result from elsewhere, or none. */
  void notClaimed(Step step) {
    claimed.remove(step);
  }

  void done(Step step, @Nullable String output, boolean isFound) {
    Claimed was = claimed.remove(step);
    if (was != null) {
      Step undo = step.undo(times.merge(step, 1, Integer::sum));
      done.add(new Undoable(undo, was.claim, was.effect, was.revision, output, isFound));
    }
  }

  List<Undoable> lastFirst() {
    return done.reversed();
  }

  /** What this step undoes; null if it undoes nothing of the run. */
  @Nullable Undoable undoneBy(Step undo) {
    return done.stream().filter(one -> one.undo().equals(undo)).findFirst().orElse(null);
  }

  /**
   * Revisions that a run made one upon the other are undone one after the other; the ledger's row
   * stays at the newest one.
   */
  EffectStep.Undoing undoing(Undoable one) {
    int top = one.revision();
    while (isMade(one.effect(), top + 1)) {
      top++;
    }
    String doubt = one.isFound() ? "it was there before this run sent it" : null;
    return new EffectStep.Undoing(one.effect(), one.revision(), top, doubt);
  }

  private boolean isMade(long effect, int revision) {
    return done.stream().anyMatch(one -> one.effect() == effect && one.revision() == revision);
  }
}
