package dev.hapax.time;

import java.time.Instant;

/**
 * The wall clock and the monotonic clock. The wall clock may jump; the monotonic clock only goes
 * forward while the process lives.
 */
public interface Clock {
  Instant now();

  /** Returns nanoseconds since a fixed moment of this process. Only differences are meaningful. */
  long nanos();

  /**
   * Calls this when a person has moved the wall clock through this object, so that threads that
   * wait for a time look again at once. The machine's own clock is set without a word, so this is
   * never called for it.
   */
  default void whenMoved(Runnable listener) {}
}
