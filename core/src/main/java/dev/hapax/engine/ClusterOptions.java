package dev.hapax.engine;

import dev.hapax.flow.CopySends;
import dev.hapax.store.NodeReport;
import java.time.Duration;

/**
 * How nodes share one database, what a failover may lose, and what a copy of the database may send.
 *
 * @param lease how long the runs of a node that does not answer stay its own
 * @param failoversLoseNothing whether a standby that takes over has everything that was
 *     acknowledged
 * @param sendsInCopy what is sent if the store is a copy of another
 */
public record ClusterOptions(Duration lease, boolean failoversLoseNothing, CopySends sendsInCopy) {
  /** Leases are renewed three times per period; a busy machine would miss a shorter one. */
  private static final Duration SHORTEST_LEASE = Duration.ofMillis(500);

  public static final ClusterOptions DEFAULT =
      new ClusterOptions(NodeReport.LEASE, false, CopySends.NONE);

  public ClusterOptions {
    if (lease.compareTo(SHORTEST_LEASE) < 0) {
      throw new IllegalArgumentException(
          "lease: expected %s or more, got %s".formatted(SHORTEST_LEASE, lease));
    }
  }
}
