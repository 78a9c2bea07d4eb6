package dev.hapax.testkit;

import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import dev.hapax.time.RandomSource;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A clock that changes only when a test moves it. Threads are real. A thread that waits with a time
 * limit waits for this clock, so days pass in no time and nothing ever sleeps.
 *
 * <p>If a thread has read the clock but does not wait yet when the test moves time, its wait begins
 * at the new time. So move time in steps until the expected event has happened, rather than once.
 */
public final class ManualTime implements Clock, Threads {
  private final Threads threads = Ports.system().threads();
  private final Random random;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private long nanos;

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
    nanos += by.toNanos();
    notifyAll();
  }

  /**
   * Sets the wall clock, forward or back, as an administrator would. The monotonic clock does not
   * change.
   */
  public synchronized void jumpTo(Instant wall) {
    now = wall;
    notifyAll();
  }

  @Override
  public synchronized Instant now() {
    return now;
  }

  @Override
  public synchronized long nanos() {
    return nanos;
  }

  @Override
  public Handle virtual(String name, Runnable body) {
    return threads.virtual(name, body);
  }

  @Override
  public Handle platform(String name, Runnable body) {
    return threads.platform(name, body);
  }

  @Override
  public Signal signal() {
    return new ManualSignal();
  }

  /** A signal whose time limits are measured on this clock. */
  private final class ManualSignal implements Signal {
    private boolean raised;

    @Override
    public void raise() {
      synchronized (ManualTime.this) {
        raised = true;
        ManualTime.this.notifyAll();
      }
    }

    @Override
    public boolean isRaised() {
      synchronized (ManualTime.this) {
        return raised;
      }
    }

    @Override
    public void await() {
      await(Duration.ofNanos(Long.MAX_VALUE));
    }

    @Override
    public boolean await(Duration atMost) {
      boolean interrupted = false;
      synchronized (ManualTime.this) {
        long since = nanos;
        while (!raised && nanos - since < atMost.toNanos()) {
          try {
            ManualTime.this.wait();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
        return raised;
      }
    }

    @Override
    public boolean awaitInterruptibly(@Nullable Duration atMost) throws InterruptedException {
      synchronized (ManualTime.this) {
        long since = nanos;
        while (!raised && (atMost == null || nanos - since < atMost.toNanos())) {
          ManualTime.this.wait();
        }
        return raised;
      }
    }
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
