package dev.hapax.app.access;

import dev.hapax.time.Clock;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the request rate of each caller, on this node: a number of requests a second, of which a
 * second's worth may arrive at once. Safe for many threads.
 */
public final class RequestRates {
  private static final long SECOND = 1_000_000_000L;
  private static final int MOST_KNOWN = 10_000;

  private final Clock clock;

  /** The time by which all admitted requests would have arrived, had they arrived evenly. */
  private final ConcurrentMap<String, AtomicLong> evenly = new ConcurrentHashMap<>();

  public RequestRates(Clock clock) {
    this.clock = clock;
  }

  /** Admits one more request and returns 0, or returns the seconds after which to try again. */
  public long secondsToWait(String caller, int perSecond) {
    long now = clock.nanos();
    long apart = SECOND / perSecond;
    AtomicLong end = evenly.get(caller);
    if (end == null) {
      if (evenly.size() >= MOST_KNOWN) {
        evenly.clear(); // forgetting only lets more in
      }
      end = evenly.computeIfAbsent(caller, _ -> new AtomicLong(now));
    }
    while (true) {
      long before = end.get();
      long from = before - now > 0 ? before : now;
      long ahead = from - now;
      long tooEarly = ahead - (SECOND - apart);
      if (tooEarly > 0) {
        return (tooEarly - 1) / SECOND + 1;
      }
      if (end.compareAndSet(before, from + apart)) {
        return 0;
      }
    }
  }
}
