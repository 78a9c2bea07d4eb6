package dev.hapax;

import dev.hapax.engine.Engine;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Rings when the wall clock shows an instant. The engine's time is never behind that clock, so an
 * alarm set by it is not late. If the clock was set back, the alarm is early; it then checks the
 * wall clock from time to time until the instant is there.
 */
final class Alarms {
  /** Notices a clock that was set back and is set forward again. Costs no query. */
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final Engine engine;
  private final ConcurrentMap<String, Instant> awaited = new ConcurrentHashMap<>();

  Alarms(Engine engine) {
    this.engine = engine;
  }

  boolean isAwaited(String schedule, Instant instant) {
    return instant.equals(awaited.get(schedule));
  }

  /** Sets one alarm per schedule and instant, no matter how often it is called. */
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
