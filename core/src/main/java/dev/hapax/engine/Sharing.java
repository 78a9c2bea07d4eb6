package dev.hapax.engine;

import dev.hapax.flow.CopySends;
import dev.hapax.store.Presence;
import java.time.Duration;

/**
 * How a database is shared with other nodes, by whom it may be taken over, and what a copy of it
 * may do.
 *
 * @param lease how long the runs of a node that does not answer stay its own
 * @param failoversLoseNothing whether a standby that takes over has everything that was
 *     acknowledged
 * @param sendsInCopy what is sent if the store is a copy of another
 */
public record Sharing(Duration lease, boolean failoversLoseNothing, CopySends sendsInCopy) {
  /** Renewed three times as often, which shorter ones would not survive on a busy machine. */
  private static final Duration SHORTEST_LEASE = Duration.ofMillis(500);

  public static final Sharing DEFAULT = new Sharing(Presence.LEASE, false, CopySends.NONE);

  public Sharing {
    if (lease.compareTo(SHORTEST_LEASE) < 0) {
      throw new IllegalArgumentException(
          "lease: expected %s or more, got %s".formatted(SHORTEST_LEASE, lease));
    }
  }
}
