package dev.hapax.testkit.memory;

import java.time.Instant;

/**
 * The rules of a store that nodes share. The defaults are right. A test that wants to see the
 * effect of a wrong one overrides it.
 */
public interface LeaseRule {
  /** The right rules. */
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

  /** Whether a lease that has run out is ended before another node takes over its runs. */
  default boolean endsFirst() {
    return true;
  }
}
