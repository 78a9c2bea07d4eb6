package dev.hapax.schedule;

import dev.hapax.engine.Engine;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Rings when the wall clock shows an instant. The engine's time is never behind that clock, so an
 * alarm by it is not late; where the clock was set back it is early, and the wall is looked at from
 * time to time until it is there.
 */
final class Alarms {
  /** So that a clock that was set back and is set forward again is noticed; costs no query. */
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final Engine engine;
  private final ConcurrentMap<String, Instant> awaited = new ConcurrentHashMap<>();

  Alarms(Engine engine) {
    this.engine = engine;
  }

  boolean isAwaited(String schedule, Instant instant) {
    return instant.equals(awaited.get(schedule));
  }

  /** One alarm per schedule and instant, however often somebody asks. */
  void await(String schedule, Instant instant, Runnable ring) {
    if (!instant.equals(awaited.put(schedule, instant))) {
      arm(schedule, instant, ring);
    }
  }

  private void arm(String schedule, Instant instant, Runnable ring) {
    engine.at(
        lookAt(instant),
        () -> {
          if (instant.isAfter(engine.wall()) && isAwaited(schedule, instant)) {
            arm(schedule, instant, ring);
          } else {
            awaited.remove(schedule, instant);
            ring.run();
          }
        });
  }

  private Instant lookAt(Instant instant) {
    Instant now = engine.clock().now();
    if (now.isBefore(instant)) {
      return instant;
    }
    Duration rest = Duration.between(engine.wall(), instant);
    return now.plus(rest.compareTo(LOOK) < 0 ? rest : LOOK);
  }
}
