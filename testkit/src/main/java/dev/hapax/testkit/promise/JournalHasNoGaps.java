package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A journal is numbered from 1 without a gap, each commit landed once, only a person's request to
 * continue follows a run's end, and the run's row agrees with the journal.
 */
public final class JournalHasNoGaps implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (Run run : evidence.runs()) {
      Set<Long> ops = new HashSet<>(); // a commit that also retries a child writes into both
      long expected = 1;
      for (JournalRow row : evidence.store().journal(run.number())) {
        if (row.seq() != expected) {
          broken.add(
              "the journal of run %s has row %d where %d was expected"
                  .formatted(run.id(), row.seq(), expected));
        }
        if (!ops.add(row.op())) {
          broken.add("operation %d of run %s landed twice".formatted(row.op(), run.id()));
        }
        expected = row.seq() + 1;
      }
      readEnds(run, evidence.journal(run), broken);
    }
    return broken;
  }

  private static void readEnds(Run run, List<JournalLine> journal, List<String> broken) {
    RunEntry.Ended end = null;
    for (JournalLine line : journal) {
      boolean goesOn =
          line.entry() instanceof RunEntry.Retried
              || line.entry() instanceof RunEntry.Replayed
              || line.entry() instanceof StepEntry.StepSettled;
      boolean isAbout =
          line.entry() instanceof RunEntry.KeyForgotten
              || line.entry() instanceof EffectEntry.AnsweredLate
              || line.entry() instanceof RunEntry.Alerted; // in the commit that it reports
      if (end != null && !goesOn && !isAbout) {
        broken.add(
            "run %s ended as %s, and then came %s".formatted(run.id(), end.status(), line.entry()));
      }
      end = line.entry() instanceof RunEntry.Ended ended ? ended : goesOn ? null : end;
    }
    boolean agrees = end == null ? !run.status().isEnd() : run.status() == end.status();
    if (!agrees) {
      broken.add(
          "run %s is %s, but its journal ends with %s".formatted(run.id(), run.status(), end));
    }
  }
}
