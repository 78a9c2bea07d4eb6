package dev.hapax.testkit.promise;

import dev.hapax.run.JournalEntry;
import dev.hapax.run.Run;
import dev.hapax.store.Failover;
import java.util.List;
import java.util.Map;

/**
 * What nobody can know after a failover that has lost what was written last, and so is not promised
 * (decision 010): what a run sent that is started again long after it; what another run sent whose
 * rows are gone, for one that has slept since; and that a revision had failed before the next.
 */
final class Loss {
  private final Evidence evidence;
  private final List<Failover> failovers;
  private final Map<String, Run> runs;

  Loss(Evidence evidence) {
    this.evidence = evidence;
    this.failovers = evidence.store().failovers();
    this.runs = failovers.isEmpty() ? Map.of() : evidence.runsById();
  }

  boolean isNone() {
    return failovers.isEmpty();
  }

  /**
   * Whether its run was started too long afterwards to count as started before. By the clock of the
   * nodes alone: that of the world outside may be days away from it.
   */
  boolean letsGo(Sending sending) {
    Run run = runs.get(sending.run());
    return run != null && failovers.stream().anyMatch(one -> !one.concerns(run.createdAt()));
  }

  /** Whether the second run has slept, and the first was another one. */
  boolean letsGo(Sending first, Sending second) {
    Run run = runs.get(second.run());
    return run != null
        && !first.run().equals(second.run())
        && evidence.journal(run).stream()
            .anyMatch(line -> line.entry() instanceof JournalEntry.WaitEnded);
  }
}
