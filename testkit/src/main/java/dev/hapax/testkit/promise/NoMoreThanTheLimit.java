package dev.hapax.testkit.promise;

import dev.hapax.run.Hold;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Concurrency limits and locks: code of no more runs than the limit is at work at once, before a
 * gate that lets one in at a time they go in by their order of arrival, and when every run has
 * ended nobody holds anything. That nobody waits for ever is told by {@link AcceptedIsDurable}.
 */
public final class NoMoreThanTheLimit implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    for (var used : evidence.observed(Observation.SlotUsed.class)) {
      if (used.inside().size() > used.limit()) {
        broken.add("%s has %s inside".formatted(used.gate(), used.inside()));
      }
    }
    boolean allEnded = evidence.runs().stream().allMatch(run -> run.status().isEnd());
    List<Hold> held = evidence.store().holds(evidence.tenant(), null);
    if (allEnded && !held.isEmpty()) {
      broken.add("every run has ended, and these are still held: %s".formatted(held));
    }
    inOrder(evidence, broken);
    return broken;
  }

  private record Passed(Run run, long queued, long granted) {}

  private static void inOrder(Evidence evidence, List<String> broken) {
    Map<String, List<Passed>> gates = new HashMap<>();
    for (Run run : evidence.runs()) {
      JournalEntry.Queued queued = null;
      long since = 0;
      for (JournalLine line : evidence.journal(run)) {
        if (line.entry() instanceof JournalEntry.Queued entry && entry.gate().limit() == 1) {
          queued = entry;
          since = evidence.landed(line);
        }
        if (line.entry() instanceof JournalEntry.SlotGranted && queued != null) {
          String gate = run.flow() + " " + queued.gate().key();
          gates
              .computeIfAbsent(gate, _ -> new ArrayList<>())
              .add(new Passed(run, since, evidence.landed(line)));
          queued = null;
        }
      }
    }
    for (List<Passed> passed : gates.values()) {
      passed.sort(Comparator.comparingLong(Passed::queued));
      for (int i = 1; i < passed.size(); i++) {
        if (passed.get(i).granted() < passed.get(i - 1).granted()) {
          broken.add(
              "run %s came after run %s and went in before it"
                  .formatted(passed.get(i).run().id(), passed.get(i - 1).run().id()));
        }
      }
    }
  }
}
