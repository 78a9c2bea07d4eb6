package dev.hapax.store;

import java.time.Duration;

/**
 * A node's report about itself with each heartbeat.
 *
 * @param owner the number of this process start, which marks its runs; never used twice
 * @param lease how long the runs stay this node's own if it does not report again
 * @param room how many more runs the node can take
 * @param recall whether a reply was lost, so that the next one must list all runs of this node
 */
public record NodeReport(long owner, Duration lease, int room, boolean recall) {
  public static final Duration LEASE = Duration.ofSeconds(15);

  /** A node with room for everything. */
  public static NodeReport of(long owner) {
    return new NodeReport(owner, LEASE, Integer.MAX_VALUE, false);
  }
}
