package dev.hapax.store;

import java.time.Duration;

/**
 * What a node says of itself when it attends.
 *
 * @param owner the number of this process start, under which its runs stand; never made twice
 * @param lease for how long from now on its runs are its own if it does not come again
 * @param room for how many more runs it has
 * @param recall whether an answer was lost, so that it has to be told of all runs that are its own
 */
public record Presence(long owner, Duration lease, int room, boolean recall) {
  public static final Duration LEASE = Duration.ofSeconds(15);

  /** A node with room for everything. */
  public static Presence of(long owner) {
    return new Presence(owner, LEASE, Integer.MAX_VALUE, false);
  }
}
