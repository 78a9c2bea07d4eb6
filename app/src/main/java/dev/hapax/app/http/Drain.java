package dev.hapax.app.http;

import dev.hapax.time.Signal;
import java.time.Duration;

/**
 * Counts requests that are being answered. Once it is shut nobody enters any more, and whoever shut
 * it waits for the last one to leave.
 */
final class Drain {
  private final Signal empty;
  private int inside; // guarded by this
  private boolean isShut; // guarded by this

  Drain(Signal empty) {
    this.empty = empty;
  }

  /** Whether one more is let in; who was let in has to leave. */
  synchronized boolean enter() {
    if (isShut) {
      return false;
    }
    inside++;
    return true;
  }

  synchronized void leave() {
    inside--;
    raiseIfEmpty();
  }

  /** Whether all that were inside have left within this time. */
  boolean shut(Duration within) {
    synchronized (this) {
      isShut = true;
      raiseIfEmpty();
    }
    return empty.await(within);
  }

  private synchronized void raiseIfEmpty() {
    if (isShut && inside == 0) {
      empty.raise();
    }
  }
}
