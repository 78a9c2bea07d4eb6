package dev.hapax.app.queue;

import dev.hapax.time.Clock;
import java.util.concurrent.TimeUnit;

/**
 * Counts what happened in the last minute, in steps of five seconds. Used by one thread at once.
 */
final class RecentCount {
  private static final int STEPS = 12;
  private static final long STEP = TimeUnit.SECONDS.toNanos(5);

  private final Clock clock;
  private final long begun;
  private final long[] counts = new long[STEPS];
  private long newest;

  RecentCount(Clock clock) {
    this.clock = clock;
    this.begun = clock.nanos();
  }

  void add() {
    forget();
    counts[(int) (newest % STEPS)]++;
  }

  long lastMinute() {
    forget();
    long sum = 0;
    for (long count : counts) {
      sum += count;
    }
    return sum;
  }

  /** Empties the steps that are over since the last look. */
  private void forget() {
    long now = Math.max(newest, (clock.nanos() - begun) / STEP);
    for (long step = Math.max(newest + 1, now - STEPS + 1); step <= now; step++) {
      counts[(int) (step % STEPS)] = 0;
    }
    newest = now;
  }
}
