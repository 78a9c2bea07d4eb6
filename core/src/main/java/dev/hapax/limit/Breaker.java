package dev.hapax.limit;

import dev.hapax.flow.Destination;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a destination alone that does not answer. Closed: calls go. Open: they wait. When the
 * pause is over one call tries (half-open), and what it hears decides. Guarded by its limiter.
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

  /** Whether one call is trying right now; the others wait for what it hears. */
  boolean isProbed() {
    return isProbed;
  }

  int failures() {
    return failures;
  }

  /** How long until a call may try; 0 if it may. */
  long until(long now) {
    return isOpen ? Math.max(0, openUntil - now) : 0;
  }

  /** A call begins. Whether it is the one that tries. */
  boolean begin() {
    isProbed |= isOpen;
    return isOpen;
  }

  /** Calls that began before it opened say nothing about now, so only the one that tries counts. */
  void hear(boolean isAlive, boolean isProbe, long now) {
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
  }

  /** The one that was to try has left without having called. */
  void unheard() {
    isProbed = false;
  }

  private void close() {
    isOpen = false;
    isProbed = false;
    failures = 0;
  }
}
