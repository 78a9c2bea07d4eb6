package dev.hapax.bench;

import java.time.Duration;

/** Measures how much one thread gets done when it repeats one action. */
final class Pace {
  private Pace() {}

  /** Does a piece of work and returns its amount. */
  @FunctionalInterface
  interface Work {
    int once() throws Exception;
  }

  static double perSecond(Duration time, Work work) {
    long start = System.nanoTime();
    long done = 0;
    long elapsed;
    try {
      do {
        done += work.once();
        elapsed = System.nanoTime() - start;
      } while (elapsed < time.toNanos());
    } catch (Exception e) {
      throw new IllegalStateException("a bare limit could not be measured", e);
    }
    return done * 1e9 / elapsed;
  }
}
