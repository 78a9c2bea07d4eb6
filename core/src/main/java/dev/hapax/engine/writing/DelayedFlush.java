package dev.hapax.engine.writing;

import dev.hapax.time.Clock;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Outcomes that wait for their run's next commit. Almost all are committed within microseconds. If
 * the run then computes or reads for long, its outcome is flushed, so that a crash does not turn a
 * known answer into a doubt.
 */
public final class DelayedFlush {
  private static final Logger log = LoggerFactory.getLogger(DelayedFlush.class);
  private static final long LONGEST_NANOS = Duration.ofMillis(20).toNanos();

  /**
   * Outcomes that are due within this time are flushed together. Otherwise the timer would wake for
   * each of thousands of outcomes per second, almost all of which their runs have committed.
   */
  private static final long TOGETHER_NANOS = Duration.ofMillis(10).toNanos();

  private final Clock clock;
  private final Runnable wakeTimer;
  private final ConcurrentLinkedQueue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
  private volatile boolean timerSleeps = true;

  public DelayedFlush(Clock clock, Runnable wakeTimer) {
    this.clock = clock;
    this.wakeTimer = wakeTimer;
  }

  private record Outcome(Flushable writer, long position, long flushAt) {}

  /** A writer that collects entries until it commits. */
  interface Flushable {
    /** Submits the entries that it has collected since this position, unless it has done so. */
    void flushSince(long position);
  }

  void watch(Flushable writer, long position) {
    outcomes.add(new Outcome(writer, position, clock.nanos() + LONGEST_NANOS));
    if (timerSleeps) {
      timerSleeps = false;
      wakeTimer.run();
    }
  }

  /** A failed write concerns only its run, which fails at its next commit. */
  private static void flush(Outcome outcome) {
    try {
      outcome.writer.flushSince(outcome.position);
    } catch (RuntimeException e) {
      log.error("an outcome could not be written before its run's next commit", e);
    }
  }

  /**
   * Flushes outcomes that have waited too long, and returns when to look again; null if nothing is
   * left to watch.
   */
  public @Nullable Duration flush() {
    timerSleeps = false;
    long now = clock.nanos();
    for (Outcome oldest;
        (oldest = outcomes.peek()) != null && oldest.flushAt - now <= TOGETHER_NANOS; ) {
      outcomes.poll();
      flush(oldest);
    }
    timerSleeps = true; // before the last look, so that a writer that adds now wakes the timer
    Outcome next = outcomes.peek();
    if (next == null) {
      return null;
    }
    timerSleeps = false;
    return Duration.ofNanos(Math.max(0, next.flushAt - now));
  }
}
