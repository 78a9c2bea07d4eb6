package dev.hapax.limit;

import dev.hapax.flow.Destination;
import org.jspecify.annotations.Nullable;

/**
 * Stops calls to a destination that does not answer. Closed: calls go. Open: calls wait. When the
 * pause is over, one call probes the destination (half-open), and its answer decides. Guarded by
 * its limiter.
 */
final class Breaker {
  private Destination.@Nullable Breaker terms;
  private int failures;
  private boolean isOpen;
  private boolean isProbed;
  private long openUntil;

  void limit(Destination.@Nullable Breaker changed) {
    terms = changed;
    if (changed == null) {
      close();
    }
  }

  boolean isOpen() {
    return isOpen;
  }

  /** Returns whether one call probes the destination right now; the others wait for its answer. */
  boolean isProbed() {
    return isProbed;
  }

  int failures() {
    return failures;
  }

  /** Returns how long until a call may probe; 0 if it may now. */
  long until(long now) {
    return isOpen ? Math.max(0, openUntil - now) : 0;
  }

  /** Begins a call. Returns whether it is the probe. */
  boolean begin() {
    isProbed |= isOpen;
    return isOpen;
  }

  /**
   * Calls that began before the breaker opened say nothing about now, so only the probe counts.
   *
   * @return whether this answer opened the breaker; a failed probe leaves it open
   */
  boolean hear(boolean isAlive, boolean isProbe, long now) {
    boolean wasOpen = isOpen;
    if (isAlive && (isProbe || !isOpen)) {
      close();
    } else if (!isAlive && (isProbe || !isOpen)) {
      failures++;
      if (terms != null && (isProbe || failures >= terms.failures())) {
        isOpen = true;
        isProbed = false;
        openUntil = now + terms.pause().toNanos();
      }
    }
    return isOpen && !wasOpen;
  }

  /** Records that the probe has left without a call. */
  void unheard() {
    isProbed = false;
  }

  private void close() {
    isOpen = false;
    isProbed = false;
    failures = 0;
  }
}
