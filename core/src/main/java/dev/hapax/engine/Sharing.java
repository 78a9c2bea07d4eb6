package dev.hapax.engine;

import dev.hapax.store.Presence;
import java.time.Duration;

/**
 * How a database is shared with other nodes, and by whom it may be taken over.
 *
 * @param lease how long the runs of a node that does not answer stay its own
 * @param failoversLoseNothing whether a standby that takes over has everything that was
 *     acknowledged
 */
public record Sharing(Duration lease, boolean failoversLoseNothing) {
  /** Renewed three times as often, which shorter ones would not survive on a busy machine. */
  private static final Duration SHORTEST_LEASE = Duration.ofMillis(500);

  public static final Sharing DEFAULT = new Sharing(Presence.LEASE, false);

  public Sharing {
    if (lease.compareTo(SHORTEST_LEASE) < 0) {
      throw new IllegalArgumentException(
          "lease: expected %s or more, got %s".formatted(SHORTEST_LEASE, lease));
    }
  }
}
