package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.RunEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The journal entries about one revision of one effect, in order. They are usually from the journal
 * of one run, and from those of later runs that took the effect over after it had been given up. A
 * retry of the run by a person is one of the entries, and so is the wish to try now.
 */
record EffectTrail(long effect, int revision, List<JournalLine> lines) {

  static List<EffectTrail> of(Evidence evidence) {
    Map<String, EffectTrail> trails = new TreeMap<>();
    for (Run run : evidence.runs()) {
      read(evidence.journal(run), trails);
    }
    for (EffectTrail trail : trails.values()) {
      trail.lines.sort(Comparator.comparingLong(evidence::landed));
    }
    return List.copyOf(trails.values());
  }

  private static void read(List<JournalLine> journal, Map<String, EffectTrail> trails) {
    Map<Step, EffectTrail> open = new HashMap<>();
    for (JournalLine line : journal) {
      Step step = line.entry().step();
      if (line.entry() instanceof RunEntry.Retried
          || line.entry() instanceof RunEntry.Replayed
          || line.entry() instanceof RunEntry.TriedNow) {
        Set.copyOf(open.values()).forEach(trail -> trail.lines.add(line));
      }
      if (step == null) {
        continue;
      }
      EffectTrail granted = granted(line.answer(), line.entry(), trails);
      if (granted != null) {
        open.put(step, granted);
      }
      EffectTrail trail = open.get(step);
      if (trail != null && !(line.entry() instanceof EffectEntry.Claimed && granted == null)) {
        trail.lines.add(line);
      }
    }
  }

  private static @Nullable EffectTrail granted(
      @Nullable ClaimAnswer answer, JournalEntry entry, Map<String, EffectTrail> trails) {
    if (!(entry instanceof EffectEntry.Claimed)) {
      return null;
    }
    return switch (answer) {
      case ClaimAnswer.Granted(long effect, int revision) -> trail(effect, revision, trails);
      case ClaimAnswer.Abandoned(long effect, int revision, int _) ->
          trail(effect, revision, trails);
      case ClaimAnswer.ReviewFirst(long effect, int revision, var _) ->
          trail(effect, revision, trails);
      case ClaimAnswer.ReviewRework review -> trail(review.effect(), review.revision(), trails);
      case null, default -> null;
    };
  }

  private static EffectTrail trail(long effect, int revision, Map<String, EffectTrail> trails) {
    return trails.computeIfAbsent(
        effect + "/" + revision, _ -> new EffectTrail(effect, revision, new ArrayList<>()));
  }
}
