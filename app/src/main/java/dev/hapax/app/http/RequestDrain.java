package dev.hapax.app.http;

import dev.hapax.time.Signal;
import java.time.Duration;

/**
 * Counts requests that are being answered. Once it is shut no request enters any more, and the
 * caller that shut it waits for the last one to leave.
 */
final class RequestDrain {
  private final Signal empty;
  private int inside; // guarded by this
  private boolean isShut; // guarded by this

  RequestDrain(Signal empty) {
    this.empty = empty;
  }

  /** Returns whether one more may enter; a request that has entered must leave. */
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

  /** Admits no more; returns whether all that were inside have left within this time. */
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
