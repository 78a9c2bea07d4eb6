package dev.hapax.flows.connection;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The attempts that read very much, which one destination can make many do at the same time. All of
 * them together keep half of the processors busy at most: the more there are, the longer each rests
 * between two pieces. One alone never rests. Safe for many threads.
 */
final class BulkReads {
  /** An attempt that has read more bytes than this is one of them. */
  static final long MUCH = 1 << 20;

  static final BulkReads OF_PROCESS =
      new BulkReads(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));

  private static final int MOST_RESTS = 20;
  private static final long LONGEST_NANOS = 5_000_000;

  private final int processors;
  private final AtomicInteger active = new AtomicInteger();

  BulkReads(int processors) {
    this.processors = processors;
  }

  void begin() {
    active.incrementAndGet();
  }

  void end() {
    active.decrementAndGet();
  }

  int active() {
    return active.get();
  }

  /** Returns how long an attempt rests after it was busy for this long. */
  long restAfter(long busyNanos) {
    int turns = (active.get() + processors - 1) / processors;
    long busy = Math.min(busyNanos, LONGEST_NANOS); // it may have waited for something else
    return busy * Math.min(Math.max(0, turns - 1), MOST_RESTS);
  }
}
