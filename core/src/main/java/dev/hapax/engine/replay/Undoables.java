package dev.hapax.engine.replay;

import dev.hapax.effect.EffectStep;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.EffectEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The effects of a run that are done and have an undo, in the order in which they were done. Folded
 * from its journal; effects without an undo are left out.
 */
public final class Undoables {
  private final Map<Step, Claimed> claimed = new HashMap<>();
  private final Map<Step, Integer> times = new HashMap<>();
  private final Set<Revision> sent = new HashSet<>();
  private final List<Undoable> done = new ArrayList<>();

  private record Claimed(EffectEntry.Claimed claim, Revision what) {}

  private record Revision(long effect, int number) {}

  /**
   * An effect that the run has done.
   *
   * @param undo the step that undoes it
   * @param output JSON text of its result
   * @param isFound whether it was there before the run sent it, or though the run never did
   */
  public record Undoable(
      Step undo,
      EffectEntry.Claimed claim,
      long effect,
      int revision,
      @Nullable String output,
      boolean isFound) {

    public String name() {
      return "'%s' '%s'".formatted(claim.name(), claim.key());
    }
  }

  /** The run may send the effect. */
  void claimed(EffectEntry.Claimed claim, long effect, int revision) {
    takenOver(claim, effect, revision);
    sent(claim.step());
  }

  /** Another run gave it up: a person says whether it happened; this run may not have sent it. */
  void takenOver(EffectEntry.Claimed claim, long effect, int revision) {
    if (Boolean.TRUE.equals(claim.undoable())) {
      claimed.put(claim.step(), new Claimed(claim, new Revision(effect, revision)));
    } else {
      notClaimed(claim.step()); // what it claimed before, with another input, is not what it does
    }
  }

  void sent(Step step) {
    Claimed open = claimed.get(step);
    if (open != null) {
      sent.add(open.what);
    }
  }

  /** The step has its result from elsewhere, or has none. */
  void notClaimed(Step step) {
    claimed.remove(step);
  }

  void done(Step step, @Nullable String output, boolean isFound) {
    Claimed was = claimed.remove(step);
    if (was != null) {
      Step undo = step.undo(times.merge(step, 1, Integer::sum));
      boolean isTheirs = isFound || !sent.contains(was.what);
      done.add(new Undoable(undo, was.claim, was.what.effect, was.what.number, output, isTheirs));
    }
  }

  /** A person has said that this revision is not there, so there is nothing to undo. */
  void absent(long effect, int revision) {
    done.removeIf(one -> one.effect() == effect && one.revision() == revision);
  }

  /** Returns the revision that the run has made of this effect; null if it cannot be undone. */
  public @Nullable Undoable of(long effect, int revision) {
    return done.stream()
        .filter(one -> one.effect() == effect && one.revision() == revision)
        .findFirst()
        .orElse(null);
  }

  public List<Undoable> lastFirst() {
    return done.reversed();
  }

  /** Returns the effect that this step undoes; null if it undoes nothing of the run. */
  public @Nullable Undoable undoneBy(Step undo) {
    return done.stream().filter(one -> one.undo().equals(undo)).findFirst().orElse(null);
  }

  /**
   * Revisions that a run made on top of each other are undone one after the other; the ledger's row
   * stays at the newest one.
   */
  public EffectStep.Undoing undoing(Undoable one) {
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
