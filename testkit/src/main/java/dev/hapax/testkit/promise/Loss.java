package dev.hapax.testkit.promise;

import dev.hapax.flow.Failover;
import dev.hapax.flow.Run;
import dev.hapax.run.journal.WaitEntry;
import java.util.List;
import java.util.Map;

/**
 * Facts that the store cannot know after a failover that has lost the last writes. They are not
 * promised (decision 010): what a run sent if it is started again long afterwards; what another run
 * sent whose rows are gone, for a run that has slept since; and that a revision had failed before
 * the next.
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
   * Whether the run was started too long after the failover to count as started before it. Uses
   * only the clock of the nodes: the clock of the world outside may differ by days.
   */
  boolean letsGo(Sending sending) {
    Run run = runs.get(sending.run());
    return run != null && failovers.stream().anyMatch(one -> !one.concerns(run.createdAt()));
  }

  /** Whether the second run has slept, and the first was another run. */
  boolean letsGo(Sending first, Sending second) {
    Run run = runs.get(second.run());
    return run != null
        && !first.run().equals(second.run())
        && evidence.journal(run).stream()
            .anyMatch(line -> line.entry() instanceof WaitEntry.WaitEnded);
  }
}
