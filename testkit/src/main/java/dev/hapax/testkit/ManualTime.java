package dev.hapax.testkit;

import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import dev.hapax.time.RandomSource;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * A clock that changes only when a test moves it. Threads are real. A thread that waits with a time
 * limit waits for this clock, so days pass in no time and nothing ever sleeps.
 *
 * <p>If a thread has read the clock but does not wait yet when the test moves time, its wait begins
 * at the new time. So move time when {@link #isIdle} holds, or in steps until the expected event
 * has happened.
 */
public final class ManualTime implements Clock, Threads {
  private final Threads threads = Ports.system().threads();
  private final WaitingThreads waiting = new WaitingThreads();
  private final Random random;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  public ManualTime() {
    this(1);
  }

  public ManualTime(long seed) {
    this.random = new Random(seed);
  }

  public Ports ports() {
    return new Ports(this, new Seeded(), this);
  }

  /** Moves both clocks forward and wakes the threads whose time limit has passed. */
  public synchronized void move(Duration by) {
    now = now.plus(by);
    waiting.move(by);
  }

  /**
   * Sets the wall clock, forward or back, as an administrator would. The monotonic clock does not
   * change.
   */
  public synchronized void jumpTo(Instant wall) {
    now = wall;
  }

  @Override
  public synchronized Instant now() {
    return now;
  }

  @Override
  public long nanos() {
    return waiting.nanos();
  }

  /**
   * Whether every thread that was started here has ended or waits for a signal or for time. Then
   * nothing happens until a caller from outside acts or time is moved.
   */
  public boolean isIdle() {
    return waiting.isIdle();
  }

  /** Waits until it is idle, at most this long in real time; returns whether it is. */
  boolean awaitIdle(Duration atMost) {
    return waiting.awaitIdle(atMost);
  }

  /** Returns how long it is until the first time limit of a thread; null if there is none. */
  @Nullable Duration untilNextLimit() {
    return waiting.untilNextLimit();
  }

  @Override
  public Handle virtual(String name, Runnable body) {
    return start(threads::virtual, name, body);
  }

  @Override
  public Handle platform(String name, Runnable body) {
    return start(threads::platform, name, body);
  }

  /** What its threads log has the context of the thread that started them. */
  private Handle start(BiFunction<String, Runnable, Handle> starting, String name, Runnable given) {
    Map<String, String> context = MDC.getCopyOfContextMap();
    Runnable body =
        context == null
            ? given
            : () -> {
              MDC.setContextMap(context);
              given.run();
            };
    WaitingThreads.Worker worker = waiting.hire();
    boolean isStarted = false;
    try {
      Handle thread = starting.apply(name, () -> worker.run(body));
      isStarted = true;
      return () -> {
        waiting.interrupt(worker);
        thread.interrupt();
      };
    } finally {
      if (!isStarted) {
        waiting.dismiss();
      }
    }
  }

  @Override
  public Signal signal() {
    return new ManualSignal(waiting);
  }

  private final class Seeded implements RandomSource {
    @Override
    public synchronized long nextLong() {
      return random.nextLong();
    }

    @Override
    public synchronized double nextDouble() {
      return random.nextDouble();
    }
  }
}
