package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Quarantine: a run that ends processes does so a bounded number of times. An innocent run is kept
 * out of memory only if two processes in a row ended while it got nowhere, and never because one
 * other run ended both.
 */
public final class OnlyPoisonIsKeptOut implements Promise {
  /** Among others: together twice, then in single file; once more while it undoes its effects. */
  private static final int MOST_ENDS = 10;

  /** That something else ends or closes the process acquits the run that was on trial. */
  private static final int MORE_FOR_EACH_OTHER = 4;

  private static final int ENDS_IN_A_ROW = 2;

  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    var all = evidence.observed(Observation.ProcessEnded.class);
    Map<String, Integer> kills = new HashMap<>();
    all.forEach(
        end -> {
          if (end.killer() != null) {
            kills.merge(end.killer(), 1, Integer::sum);
          }
        });
    kills.forEach(
        (run, count) -> {
          int most = MOST_ENDS + MORE_FOR_EACH_OTHER * (all.size() - count);
          if (count > most) {
            broken.add("run %s ended %d processes, more than %d".formatted(run, count, most));
          }
        });
    for (Run run : evidence.runs()) {
      if (!kills.containsKey(run.id().toString())) {
        readInnocent(run, all, evidence, broken);
      }
    }
    return broken;
  }

  /** Whether the run threw an Error when it was taken up, which needs no further evidence. */
  public static boolean isByError(RunEntry.Quarantined quarantined) {
    return quarantined.evidence().contains(" threw ");
  }

  private static void readInnocent(
      Run run, List<Observation.ProcessEnded> all, Evidence evidence, List<String> broken) {
    long further = -1;
    for (JournalLine line : evidence.journal(run)) {
      long place = evidence.landed(line);
      if (isFurther(line.entry())) {
        further = place;
      }
      if (line.entry() instanceof RunEntry.Quarantined quarantined && !isByError(quarantined)) {
        long since = further;
        var ends = all.stream().filter(end -> end.until() > since && end.after() <= place).toList();
        if (ends.size() < ENDS_IN_A_ROW && isNoneHeldUp(evidence, place)) {
          broken.add(
              "run %s is innocent, and was quarantined after %d ends: %s"
                  .formatted(run.id(), ends.size(), quarantined.evidence()));
        } else if (ends.size() >= ENDS_IN_A_ROW && isOneKiller(all, ends)) {
          broken.add(
              "run %s is innocent, and was quarantined because of %s"
                  .formatted(run.id(), ends.getLast().killer()));
        }
      }
    }
  }

  /** The note of a run that got further may be held up and lost with the process. */
  private static boolean isNoneHeldUp(Evidence evidence, long place) {
    return evidence.observed(Observation.NoteHeldUp.class).stream()
        .noneMatch(held -> held.after() <= place);
  }

  /** With one machine only: of several, each has its own last ends. */
  private static boolean isOneKiller(
      List<Observation.ProcessEnded> all, List<Observation.ProcessEnded> ends) {
    String last = ends.getLast().killer();
    return all.stream().map(Observation.ProcessEnded::machine).distinct().count() == 1
        && last != null
        && last.equals(ends.get(ends.size() - 2).killer());
  }

  private static boolean isFurther(JournalEntry entry) {
    return entry instanceof StepEntry.StepDone
        || entry instanceof EffectEntry.Claimed
        || entry instanceof EffectEntry.EffectDone
        || entry instanceof EffectEntry.EffectFailed;
  }
}
