package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.flow.SettleDecision;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.RunEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * If a person said that an effect happened and is to be undone, and was not refused, then the
 * journal has the decision, and the run undoes what it did. {@link UndoneInReverse} checks how. The
 * run may be another one than the person saw: it has taken over the same doubt since.
 */
public final class SettledIsUndone implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    Set<String> present = evidence.runsById().keySet();
    for (var wanted : evidence.observed(Observation.UndoWanted.class)) {
      if (wanted.told() != ClientCall.Answer.ACCEPTED) {
        continue;
      }
      boolean isSettled = false;
      for (Run run : evidence.runs()) {
        boolean isHere = false;
        boolean isUndone = false;
        for (JournalLine line : evidence.journal(run)) {
          isHere |= isDecision(line, wanted.mark());
          isUndone |= line.entry() instanceof RunEntry.CompensationStarted;
        }
        isSettled |= isHere;
        if (isHere && !isUndone) {
          broken.add(
              "%s, but run %s is %s, and its effects are not undone"
                  .formatted(wanted, run.id(), run.status()));
        }
      }
      if (!isSettled && present.contains(wanted.run())) {
        broken.add("%s, but no journal has the decision".formatted(wanted));
      }
    }
    return broken;
  }

  private static boolean isDecision(JournalLine line, String mark) {
    return switch (line.entry()) {
      case EffectEntry.Settled settled ->
          settled.actor().equals(mark) && settled.decision() == SettleDecision.HAPPENED;
      case EffectEntry.SettledTooLate late -> late.actor().equals(mark);
      default -> false;
    };
  }
}
