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
}
