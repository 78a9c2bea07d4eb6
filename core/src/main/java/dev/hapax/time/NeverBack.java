package dev.hapax.time;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A wall clock that is never behind the newest time it has seen. So a clock that was set back
 * cannot make a provider's key window look open again, or a newer number look older. After such a
 * jump it follows the monotonic clock, so it never stops. Milliseconds, as in the store.
 */
public final class NeverBack implements Clock {
  private final Clock clock;
  private final AtomicLong ahead; // of the monotonic clock, in milliseconds; it only grows

  public NeverBack(Clock clock, Instant newestInStore) {
    this.clock = clock;
    this.ahead = new AtomicLong(newestInStore.toEpochMilli() - monotonicMillis());
    now(); // remember the wall clock's present time, even if the clock is set back later
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

  @Override
  public void whenMoved(Runnable listener) {
    clock.whenMoved(listener);
  }
}
