package dev.hapax.engine;

import dev.hapax.engine.parts.EngineParts;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Measures for how long suspects have been in memory. Safe for many threads. */
final class SuspectWatch {
  /** In seconds: a run that has been in memory for this long does not end processes. */
  static final int LONG = 60;

  private final EngineParts parts;
  private final Listener listener;
  // By run: the stay that is watched, so that the alarms of an earlier one do nothing.
  private final ConcurrentMap<Long, Long> stays = new ConcurrentHashMap<>();

  /** Learns that a suspect lives. */
  @FunctionalInterface
  interface Listener {
    void lives(long run, int seconds);
  }

  SuspectWatch(EngineParts parts, Listener listener) {
    this.parts = parts;
    this.listener = listener;
  }

  /**
   * The run is taken up now.
   *
   * @param isClose whether to tell after 2, 4, 8, … seconds, and not only at last
   */
  void begin(long run, boolean isClose) {
    long stay = parts.ids().next();
    stays.put(run, stay);
    lookAt(run, stay, 0, isClose ? SuspectNote.FIRST_LOOK : LONG);
  }

  /** The run is in memory no more, or no suspect. */
  void end(long run) {
    stays.remove(run);
  }

  private void lookAt(long run, long stay, int since, int seconds) {
    var at = parts.clock().now().plus(Duration.ofSeconds(seconds - since));
    parts
        .timer()
        .alarm(
            at,
            parts.ids().next(),
            () -> {
              if (Objects.equals(stays.get(run), stay)) {
                listener.lives(run, seconds);
                if (seconds < LONG) {
                  lookAt(run, stay, seconds, Math.min(LONG, 2 * seconds));
                }
              }
            });
  }
}
