package dev.hapax.flows.connection;

import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Keeps idle HTTP connections for a few seconds. Safe for many threads. */
final class WirePool implements AutoCloseable {
  private static final Duration KEPT = Duration.ofSeconds(5);
  private static final Duration TRUSTED = Duration.ofMillis(200);
  private static final int MOST_KEPT = 256;

  private final Clock clock;
  private final Map<String, Deque<Kept>> idle = new ConcurrentHashMap<>();

  private record Kept(HttpWire wire, long since) {}

  WirePool(Clock clock) {
    this.clock = clock;
  }

  /** Skips connections that the server may have closed meanwhile: a request must not be lost. */
  @Nullable HttpWire take(String key) {
    Deque<Kept> kept = idle.get(key);
    while (kept != null) {
      Kept newest;
      synchronized (kept) {
        newest = kept.pollFirst();
      }
      if (newest == null) {
        return null;
      }
      long nanos = clock.nanos() - newest.since();
      boolean fresh =
          nanos < TRUSTED.toNanos()
              ? !newest.wire().hasUnread()
              : nanos < KEPT.toNanos() && !newest.wire().isStale();
      if (fresh) {
        return newest.wire();
      }
      newest.wire().close();
    }
    return null;
  }

  void giveBack(String key, HttpWire wire) {
    if (!wire.isReusable()) {
      wire.close();
      return;
    }
    Deque<Kept> kept = idle.computeIfAbsent(key, _ -> new ArrayDeque<>());
    Kept surplus = null;
    synchronized (kept) {
      kept.addFirst(new Kept(wire, clock.nanos()));
      if (kept.size() > MOST_KEPT) {
        surplus = kept.pollLast();
      }
    }
    if (surplus != null) {
      surplus.wire().close();
    }
  }

  @Override
  public void close() {
    for (Deque<Kept> kept : idle.values()) {
      synchronized (kept) {
        kept.forEach(one -> one.wire().close());
        kept.clear();
      }
    }
  }
}
