package dev.hapax.testkit.promise;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.RunEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Inside one run, a step or item gets the result of another one only if both wanted to send the
 * same. Otherwise it would count as done although nothing of it was sent.
 */
public final class DoneMeansSent implements Promise {
  private record Revision(long effect, int number) {}

  private record Place(String run, Step step) {}

  @Override
  public List<String> brokenBy(Evidence evidence) {
    Map<Place, Set<String>> wanted = new HashMap<>();
    for (var seen : evidence.observed(Observation.EffectWanted.class)) {
      wanted
          .computeIfAbsent(new Place(seen.run(), seen.step().inRound(1)), _ -> new HashSet<>())
          .add(seen.content());
    }
    List<String> broken = new ArrayList<>();
    for (Run run : evidence.runs()) {
      check(run, evidence, wanted, broken);
    }
    return broken;
  }

  private static void check(
      Run run, Evidence evidence, Map<Place, Set<String>> wanted, List<String> broken) {
    String id = run.id().toString();
    Map<Revision, Step> granted = new HashMap<>();
    Set<Revision> inherited = new HashSet<>(); // with the content of the run that gave it up
    boolean isReplayed = false;
    for (JournalLine line : evidence.journal(run)) {
      isReplayed |= line.entry() instanceof RunEntry.Replayed;
      if (!(line.entry() instanceof EffectEntry.Claimed claim) || claim.step().isUndo()) {
        continue;
      }
      Step step = claim.step().inRound(1);
      switch (line.answer()) {
        case ClaimAnswer.Granted(long effect, int revision) ->
            granted.put(new Revision(effect, revision), step);
        case ClaimAnswer.Abandoned(long effect, int revision, int _) -> {
          if (granted.putIfAbsent(new Revision(effect, revision), step) == null) {
            inherited.add(new Revision(effect, revision));
          }
        }
        case ClaimAnswer.Reused reused
            when reused.fromRun().equals(id) && !reused.superseded() && !reused.stale() -> {
          var revision = new Revision(reused.effect(), reused.revision());
          Step sender = granted.get(revision);
          EffectRecord row = evidence.store().effect(reused.effect());
          // In a replay, name and key say which effect it is, and the history shows the difference.
          boolean isShown = isReplayed && reused.contentDiffers();
          if (sender == null || sender.equals(step) || isShown) {
            continue;
          }
          Set<String> sent = wanted.getOrDefault(new Place(id, sender), Set.of());
          Set<String> asked = wanted.getOrDefault(new Place(id, step), Set.of());
          boolean isKnown = // features send something too
              !sent.isEmpty() && !asked.isEmpty() && !inherited.contains(revision);
          boolean isOther = isKnown && Collections.disjoint(sent, asked);
          if (isOther || (row != null && row.request() == null)) {
            broken.add(
                "run %s: step %s wanted to send %s as %s, and counts as done by step %s with %s"
                    .formatted(id, step, asked, reused.effect(), sender, sent));
          }
        }
        case null, default -> {}
      }
    }
  }
}
