package dev.hapax.testkit.simulation;

import dev.hapax.flow.RunFilter;
import dev.hapax.flow.RunStatus;
import dev.hapax.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/** Lets simulated time go on until every run has ended. */
final class EndOfRuns {
  private final Store durable;
  private final Scheduler scheduler;
  private final Machines machines;

  EndOfRuns(Store durable, Scheduler scheduler, Machines machines) {
    this.durable = durable;
    this.scheduler = scheduler;
    this.machines = machines;
  }

  /**
   * @param people what people do in each round
   */
  void await(int rounds, Runnable people) {
    for (int round = 0; round < rounds && !isReached(); round++) {
      scheduler.sleep(Duration.ofSeconds(20L * (1 + round / 20))); // some have hours to wait
      people.run();
      skipToNextDue();
    }
  }

  /** Checks each status by itself: there may be more runs than a page holds. */
  boolean isReached() {
    return Arrays.stream(RunStatus.values())
        .filter(status -> !status.isEnd())
        .map(status -> new RunFilter(UnreliableWorld.TENANT, null, null, status, null, 1))
        .allMatch(filter -> durable.runs(filter).isEmpty());
  }

  /** Skips hours in which nothing is due. */
  private void skipToNextDue() {
    Instant next = durable.nextDue(null);
    Instant now = machines.clock().now();
    if (next != null && next.isAfter(now.plusSeconds(60))) {
      scheduler.suspend(Duration.between(now, next).minusSeconds(30));
    }
  }
}
