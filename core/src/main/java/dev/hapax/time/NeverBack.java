package dev.hapax.time;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A wall clock that is never behind the newest time it has seen, so that a clock set back cannot
 * make a provider's key window look open again, nor a number that was made later look older. After
 * such a jump it goes on with the monotonic clock: it never stands still. Milliseconds, as in the
 * store.
 */
public final class NeverBack implements Clock {
  private final Clock clock;
  private final AtomicLong ahead; // of the monotonic clock, in milliseconds; it only grows

  public NeverBack(Clock clock, Instant newestInStore) {
    this.clock = clock;
    this.ahead = new AtomicLong(newestInStore.toEpochMilli() - monotonicMillis());
    now(); // what the wall says at this moment is not forgotten, whatever it says later
  }

  @Override
  public Instant now() {
    long wall = clock.now().toEpochMilli();
    long monotonic = monotonicMillis();
    return Instant.ofEpochMilli(ahead.accumulateAndGet(wall - monotonic, Math::max) + monotonic);
  }

  private long monotonicMillis() {
    return Math.floorDiv(clock.nanos(), 1_000_000);
  }

  @Override
  public long nanos() {
    return clock.nanos();
  }
}
