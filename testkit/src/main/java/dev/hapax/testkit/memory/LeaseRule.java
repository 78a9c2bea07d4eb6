package dev.hapax.testkit.memory;

import java.time.Instant;

/**
 * What a store that nodes share goes by. The defaults are right; whoever wants to see what a wrong
 * one does overrides it.
 */
public interface LeaseRule {
  /** As it must be. */
  LeaseRule RIGHT = new LeaseRule() {};

  /** Whether a node may write. */
  default boolean letsWrite(boolean hasLease) {
    return hasLease;
  }

  /** Whether a node may renew its lease. */
  default boolean letsRenew(boolean hasLease) {
    return hasLease;
  }

  /** Whether a lease has run out. */
  default boolean isOver(Instant expiresAt, Instant now) {
    return expiresAt.isBefore(now);
  }

  /** Whether a lease that has run out is ended before somebody takes its runs over. */
  default boolean endsFirst() {
    return true;
  }
}
