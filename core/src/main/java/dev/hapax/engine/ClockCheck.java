package dev.hapax.engine;

import dev.hapax.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notices a clock that was set back while no process was there. */
final class ClockCheck {
  private static final Logger log = LoggerFactory.getLogger(ClockCheck.class);
  private static final Duration JITTER = Duration.ofSeconds(1);

  private ClockCheck() {}

  /** A clock behind the store was set back, so the time without a process is unknown. */
  static Instant timesKnownAfter(Clock wall, Instant newestAt) {
    if (!wall.now().isBefore(newestAt.minus(JITTER))) {
      return Instant.MIN;
    }
    log.warn(
        "the clock is behind the newest time in the store, {}: it was set back. Keyed doubts from"
            + " before that time are looked up or reviewed, not sent again",
        newestAt);
    return newestAt;
  }
}
