package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.WaitEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Promise 9: a wait begins once, ends once, and not before its time. */
public final class WaitsFireOnceAndNotEarly implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (Run run : evidence.runs()) {
      read(run, evidence.journal(run), broken);
    }
    return broken;
  }

  private static void read(Run run, List<JournalLine> journal, List<String> broken) {
    Map<Step, Instant> begun = new HashMap<>();
    Set<Step> ended = new HashSet<>();
    for (JournalLine line : journal) {
      if (line.entry() instanceof RunEntry.Replayed replayed) {
        replayed.terms().ask().forEach(begun::remove); // a person wants it to begin again
        replayed.terms().ask().forEach(ended::remove);
      }
      if (line.entry() instanceof WaitEntry.WaitStarted(Step step, Instant until)
          && begun.putIfAbsent(step, until) != null) {
        broken.add("wait %s of run %s began twice".formatted(step, run.id()));
      }
      if (line.entry() instanceof WaitEntry.WaitEnded(Step step)) {
        Instant until = begun.get(step);
        if (until == null || line.row().at().isBefore(until)) {
          broken.add(
              "wait %s of run %s until %s ended at %s"
                  .formatted(step, run.id(), until, line.row().at()));
        }
        if (!ended.add(step)) {
          broken.add("wait %s of run %s ended twice".formatted(step, run.id()));
        }
      }
    }
  }
}
