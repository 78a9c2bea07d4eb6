package dev.hapax.time;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A wall clock that is never behind the newest time it has seen, so that a clock set back cannot
 * make a provider's key window look open again, nor a number that was made later look older.
 * Milliseconds, as in the store.
 */
public final class NeverBack implements Clock {
  private final Clock clock;
  private final AtomicLong newest;

  public NeverBack(Clock clock, Instant newestInStore) {
    this.clock = clock;
    this.newest = new AtomicLong(newestInStore.toEpochMilli());
  }

  @Override
  public Instant now() {
    long wall = clock.now().toEpochMilli();
    return Instant.ofEpochMilli(newest.accumulateAndGet(wall, Math::max));
  }

  @Override
  public long nanos() {
    return clock.nanos();
  }
}
