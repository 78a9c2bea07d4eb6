package dev.hapax.app.reconcile;

import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long this process has known what a reconciliation misses. Only time on the monotonic clock of
 * one process counts: after a restart, and on another node, it begins anew. Safe for many threads.
 */
final class AbsenceWatch {
  private static final int MOST_OPEN = 1_000;

  private final Clock clock;
  private final Map<String, Long> since =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
              return size() > MOST_OPEN;
            }
          });

  AbsenceWatch(Clock clock) {
    this.clock = clock;
  }

  /** Begins now, unless it has begun before. */
  void begin(String run) {
    since.putIfAbsent(run, clock.nanos());
  }

  /** Returns how much of this time is left; begins now if it has not begun. */
  Duration restOf(String run, Duration time) {
    long now = clock.nanos();
    Long begun = since.putIfAbsent(run, now);
    Duration rest = time.minusNanos(begun == null ? 0 : now - begun);
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  void end(String run) {
    since.remove(run);
  }
}
