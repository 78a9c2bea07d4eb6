package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Promise 6, the first half: an intent changed the destination once at most, once more after each
 * time that it was undone, and once more for each time that a person named it to be forced, in the
 * replay of the run that the person chose. Operators who settle by looking are part of the promise;
 * a flow that openly accepts repeats is not. An upsert may arrive again with the same bytes, which
 * {@link OneKeyPerIntent} checks. Where the store has lost its last writes, this is judged by
 * revision: see {@link Loss}.
 */
public final class EffectHappensOnce implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    var loss = new Loss(evidence);
    Map<String, Set<Integer>> undone = undone(evidence);
    var forces = new Forces(evidence);
    forcedByTheirRuns(evidence, forces, undone, broken);
    Map<String, Sending> once = new HashMap<>();
    for (Sending sending : evidence.sendings()) {
      if (!sending.applied()
          || sending.mayRepeat()
          || sending.guard().equals("upsert")
          || loss.letsGo(sending)) {
        continue;
      }
      String intent =
          loss.isNone()
              ? intent(sending, undone.getOrDefault(sending.intentKey(), Set.of()), forces)
              : sending.intentKey() + " as " + sending.wireKey();
      Sending before = once.putIfAbsent(intent, sending);
      if (before != null && !loss.letsGo(before, sending)) {
        broken.add(
            "%s (guard %s) happened at least twice: sent at %s and at %s"
                .formatted(intent, sending.guard(), before.at(), sending.at()));
      }
    }
    return broken;
  }

  /**
   * Names the intent. Creates and notifications happen once in all their revisions, an update or an
   * undo once in each.
   */
  private static String intent(Sending sending, Set<Integer> undone, Forces forces) {
    EffectRecord row = sending.intent();
    if (row == null) {
      return sending.intentKey(); // IntentBeforeSend reports it
    }
    if (row.kind() == Kind.UPDATE || sending.isUndo()) {
      return sending.intentKey() + " revision " + row.revision();
    }
    Set<Integer> ends = new TreeSet<>(undone);
    ends.addAll(forces.of(row.number()));
    long times = ends.stream().filter(revision -> revision < row.revision()).count();
    return times == 0
        ? sending.intentKey()
        : "%s, undone or forced %d times".formatted(sending.intentKey(), times);
  }

  /** The revision behind a forced one belongs to the run whose replay was to send it. */
  private static void forcedByTheirRuns(
      Evidence evidence, Forces forces, Map<String, Set<Integer>> undone, List<String> broken) {
    if (forces.all().isEmpty()) {
      return;
    }
    Map<String, String> grants = new HashMap<>();
    for (Run run : evidence.runs()) {
      for (JournalLine line : evidence.journal(run)) {
        if (line.entry() instanceof EffectEntry.Claimed
            && line.answer() instanceof ClaimAnswer.Granted(long effect, int revision)) {
          grants.put(effect + "/" + revision, run.id().toString());
        }
      }
    }
    for (Forces.Force force : forces.all()) {
      EffectRecord row = evidence.store().effect(force.effect());
      String by = grants.get(force.effect() + "/" + (force.revision() + 1));
      if (row == null || by == null) {
        continue;
      }
      boolean isFree =
          row.kind() == Kind.UPDATE
              || undone.getOrDefault(keyOf(row), Set.of()).contains(force.revision());
      boolean isTheirs =
          forces.all().stream()
              .anyMatch(
                  one ->
                      one.effect() == force.effect()
                          && one.revision() == force.revision()
                          && one.run().equals(by));
      if (!isFree && !isTheirs) {
        broken.add(
            "run %s sent revision %d of %s, which a person forced for run %s"
                .formatted(by, force.revision() + 1, row.key(), force.run()));
      }
    }
  }

  /** Returns the revisions that were undone at the destination, or by hand. */
  private static Map<String, Set<Integer>> undone(Evidence evidence) {
    Map<String, Set<Integer>> undone = new HashMap<>();
    for (Sending sending : evidence.sendings()) {
      EffectRecord row = sending.intent();
      if (sending.isUndo() && sending.applied() && row != null) {
        undone.computeIfAbsent(sending.undoneKey(), _ -> new TreeSet<>()).add(row.revision());
      }
    }
    for (EffectTrail trail : EffectTrail.of(evidence)) {
      if (trail.lines().stream().anyMatch(EffectHappensOnce::isUndoneByHand)) {
        undone
            .computeIfAbsent(undoneKey(trail, evidence), _ -> new TreeSet<>())
            .add(trail.revision());
      }
    }
    return undone;
  }

  private static boolean isUndoneByHand(JournalLine line) {
    return line.entry() instanceof StepEntry.StepSettled(var step, var _, var _, var _)
        && step.isUndo();
  }

  private static String undoneKey(EffectTrail trail, Evidence evidence) {
    EffectRecord row = evidence.store().effect(trail.effect());
    if (row == null) {
      return "";
    }
    return keyOf(row);
  }

  /** As {@link Sending#intentKey}; of an undo, that of the effect that it undoes. */
  private static String keyOf(EffectRecord row) {
    EffectKey key = row.key();
    String name = key.name().replace(Sending.UNDO, "");
    return key.additiveRun() == null
        ? name + " " + key.key()
        : name + " " + key.key() + " of " + key.additiveRun();
  }
}
