package dev.hapax.testkit.promise;

import dev.hapax.flow.Hold;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.RunEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Concurrency limits and locks: code of no more runs than the limit is at work at once; runs pass a
 * gate that lets one in at a time in their order of arrival; and when every run has ended no slot
 * or lock is held. {@link AcceptedIsDurable} checks that no run waits for ever.
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

  /**
   * A run that passed a gate. Its place in line is the number of the operation that put it there.
   */
  private record Passed(Run run, long place, long queued, long granted) {
    /**
     * Numbers are made when a group is submitted, by the clocks of several nodes. So the smaller
     * number is first only among runs that wait.
     */
    boolean cameAfter(Passed other) {
      return queued > other.queued && place > other.place;
    }
  }

  private static void inOrder(Evidence evidence, List<String> broken) {
    Map<String, List<Passed>> gates = new HashMap<>();
    for (Run run : evidence.runs()) {
      RunEntry.Queued queued = null;
      long place = 0;
      long since = 0;
      for (JournalLine line : evidence.journal(run)) {
        if (line.entry() instanceof RunEntry.Queued entry && entry.gate().limit() == 1) {
          queued = entry;
          place = line.row().op();
          since = evidence.landed(line);
        }
        if (line.entry() instanceof RunEntry.Retried || line.entry() instanceof RunEntry.Replayed) {
          queued = null; // it waits at the end of the line again
        }
        if (line.entry() instanceof RunEntry.SlotGranted && queued != null) {
          String gate = run.flow() + " " + queued.gate().key();
          gates
              .computeIfAbsent(gate, _ -> new ArrayList<>())
              .add(new Passed(run, place, since, evidence.landed(line)));
          queued = null;
        }
      }
    }
    for (List<Passed> passed : gates.values()) {
      for (Passed one : passed) {
        for (Passed other : passed) {
          if (one.cameAfter(other) && one.granted() < other.granted()) {
            broken.add(
                "run %s came after run %s and went in before it"
                    .formatted(one.run().id(), other.run().id()));
          }
        }
      }
    }
  }
}
