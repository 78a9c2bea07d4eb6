package dev.hapax.testkit.promise;

import dev.hapax.flow.Kind;
import dev.hapax.flow.Run;
import dev.hapax.flow.SettleDecision;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A replay writes no update over a newer revision that other work has made since: the run's step
 * had an older revision, and keeps it. A newer revision that was undone is not there any more.
 */
public final class NewerWorkStays implements Promise {
  private record Place(long run, Step step) {}

  /** A revision that a step may make. */
  private record Granted(String where, int revision) {}

  @Override
  public List<String> brokenBy(Evidence evidence) {
    Map<String, Place> madeBy = new HashMap<>();
    Set<String> done = new HashSet<>();
    Map<String, Long> undone = new HashMap<>();
    for (EffectTrail trail : EffectTrail.of(evidence)) {
      String what = "";
      for (JournalLine line : trail.lines()) {
        if (line.entry() instanceof EffectEntry.Claimed claim) {
          what = revision(claim.name(), claim.key(), trail.revision());
          madeBy.put(
              revision(trail.effect(), trail.revision()),
              new Place(line.row().run(), claim.step().inRound(1)));
        }
        if (line.entry() instanceof EffectEntry.EffectDone) {
          done.add(revision(trail.effect(), trail.revision()));
        }
        if (line.entry() instanceof EffectEntry.EffectDone
            || (line.entry() instanceof EffectEntry.Settled settled
                && settled.decision() == SettleDecision.HAPPENED)) {
          undone.put(what, evidence.landed(line));
        }
      }
    }
    List<String> broken = new ArrayList<>();
    for (Run run : evidence.runs()) {
      read(run, evidence, madeBy, done, undone, broken);
    }
    return broken;
  }

  private static void read(
      Run run,
      Evidence evidence,
      Map<String, Place> madeBy,
      Set<String> done,
      Map<String, Long> undone,
      List<String> broken) {
    Map<String, Integer> had = new HashMap<>();
    Map<Step, Granted> open = new HashMap<>();
    boolean isReplayed = false;
    for (JournalLine line : evidence.journal(run)) {
      if (line.entry() instanceof RunEntry.Replayed) {
        isReplayed = true;
      } else if (line.entry() instanceof RunEntry.Retried) {
        isReplayed = false;
      }
      Granted made = isMade(line.entry()) ? open.remove(line.entry().step()) : null;
      if (made != null) {
        had.put(made.where(), made.revision());
      }
      if (!(line.entry() instanceof EffectEntry.Claimed claim) || claim.kind() != Kind.UPDATE) {
        continue;
      }
      var place = new Place(run.number(), claim.step().inRound(1));
      if (line.answer() instanceof ClaimAnswer.Granted(long effect, int revision)) {
        Integer before = had.get(place.step() + " " + effect);
        String newest = revision(effect, revision - 1);
        boolean isOthers = madeBy.containsKey(newest) && !madeBy.get(newest).equals(place);
        String undo = revision(claim.name() + Sending.UNDO, claim.key(), revision - 1);
        boolean isGone = undone.getOrDefault(undo, Long.MAX_VALUE) < evidence.landed(line);
        if (isReplayed
            && !isGone
            && before != null
            && before < revision - 1
            && isOthers
            && done.contains(newest)) {
          broken.add(
              "run %s: a replay of step %s, which had made revision %d of %s, wrote over revision %d"
                  .formatted(run.id(), place.step(), before, claim.key(), revision - 1));
        }
        open.put(claim.step(), new Granted(place.step() + " " + effect, revision));
      }
    }
  }

  /** A step has nothing to keep of a revision that failed or was abandoned. */
  private static boolean isMade(JournalEntry entry) {
    return switch (entry) {
      case EffectEntry.EffectDone _, StepEntry.StepSettled _ -> true;
      case EffectEntry.Settled settled -> settled.decision() == SettleDecision.HAPPENED;
      default -> false;
    };
  }

  private static String revision(String name, String key, int number) {
    return name + " " + key + "/" + number;
  }

  private static String revision(long effect, int number) {
    return effect + "/" + number;
  }
}
