package dev.hapax.time;

import java.time.Instant;

/** The machine's own clocks. */
final class SystemClock implements Clock {
  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
