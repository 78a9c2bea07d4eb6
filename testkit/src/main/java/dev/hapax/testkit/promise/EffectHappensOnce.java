package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Kind;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Promise 6, the first half: an intent changed the destination once at most, and once more after
 * each time that it was undone. Operators who settle by looking are part of the promise; a flow
 * that openly accepts repeats is not. An upsert may arrive again with the same bytes, which {@link
 * OneKeyPerIntent} checks. Where the store has lost its last writes, this is judged by revision:
 * see {@link Loss}.
 */
public final class EffectHappensOnce implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    var loss = new Loss(evidence);
    Map<String, Set<Integer>> undone = undone(evidence);
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
              ? intent(sending, undone.getOrDefault(sending.intentKey(), Set.of()))
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
  private static String intent(Sending sending, Set<Integer> undone) {
    EffectRecord row = sending.intent();
    if (row == null) {
      return sending.intentKey(); // IntentBeforeSend reports it
    }
    if (row.kind() == Kind.UPDATE || sending.isUndo()) {
      return sending.intentKey() + " revision " + row.revision();
    }
    long times = undone.stream().filter(revision -> revision < row.revision()).count();
    return times == 0
        ? sending.intentKey()
        : "%s, undone %d times".formatted(sending.intentKey(), times);
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
    EffectKey key = row.key();
    String name = key.name().replace(Sending.UNDO, "");
    return key.additiveRun() == null
        ? name + " " + key.key()
        : name + " " + key.key() + " of " + key.additiveRun();
  }
}
