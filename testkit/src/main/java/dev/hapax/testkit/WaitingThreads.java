package dev.hapax.testkit;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a {@link ManualTime}: how many are at work, and which wait until when. A thread
 * counts as at work from the moment at which its wait is over, not from when it notices. So if none
 * is at work, nothing happens until a caller from outside acts or time is moved.
 */
final class WaitingThreads {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(1);
  private static final ThreadLocal<@Nullable Worker> CURRENT = new ThreadLocal<>();

  private final Set<Wait> waits = new LinkedHashSet<>();
  private long nanos;
  private int busy;
  private volatile @Nullable Thread watcher;

  /** A thread that is counted, and its wait if it is in one. */
  static final class Worker {
    private final WaitingThreads among;
    private @Nullable Wait wait;

    private Worker(WaitingThreads among) {
      this.among = among;
    }

    /** Runs the thread's code. */
    void run(Runnable body) {
      CURRENT.set(this);
      try {
        body.run();
      } finally {
        among.count(-1);
      }
    }
  }

  /** One wait of one thread. */
  static final class Wait {
    private final Thread thread = Thread.currentThread();
    private final @Nullable Worker worker; // null for a thread from outside, which is not counted
    private final long until;
    private final boolean isInterruptible;
    private volatile boolean isOver;

    private Wait(@Nullable Worker worker, long until, boolean isInterruptible) {
      this.worker = worker;
      this.until = until;
      this.isInterruptible = isInterruptible;
    }

    boolean isOver() {
      return isOver;
    }
  }

  /** Counts a thread that is about to start, so that it is not overlooked. */
  Worker hire() {
    count(1);
    return new Worker(this);
  }

  /** The thread did not start. */
  void dismiss() {
    count(-1);
  }

  synchronized long nanos() {
    return nanos;
  }

  /** Moves the monotonic clock, and ends the waits whose time limit has passed. */
  synchronized void move(Duration by) {
    nanos += by.toNanos();
    for (Wait wait : List.copyOf(waits)) {
      if (wait.until <= nanos) {
        wake(wait);
      }
    }
  }

  /** Begins a wait of this thread. */
  synchronized Wait begin(long limitNanos, boolean isInterruptible) {
    Worker thisThread = CURRENT.get();
    Worker worker = thisThread == null || thisThread.among != this ? null : thisThread;
    long until = limitNanos > Long.MAX_VALUE - nanos ? Long.MAX_VALUE : nanos + limitNanos;
    var wait = new Wait(worker, until, isInterruptible);
    waits.add(wait);
    if (worker != null) {
      worker.wait = wait;
      count(-1);
    }
    return wait;
  }

  synchronized void wake(Wait wait) {
    end(wait);
    wait.isOver = true;
    LockSupport.unpark(wait.thread);
  }

  /** Counts its thread as at work again, once. */
  synchronized void end(Wait wait) {
    Worker worker = wait.worker;
    if (waits.remove(wait) && worker != null) {
      worker.wait = null;
      count(1);
    }
  }

  /** The thread is about to be interrupted. */
  synchronized void interrupt(Worker worker) {
    Wait wait = worker.wait;
    if (wait != null && wait.isInterruptible) {
      end(wait);
    }
  }

  private synchronized void count(int more) {
    busy += more;
    Thread idle = watcher;
    if (busy == 0 && idle != null) {
      LockSupport.unpark(idle);
    }
  }

  synchronized boolean isIdle() {
    return busy == 0;
  }

  /** Waits until none is at work, at most this long in real time; returns whether none is. */
  boolean awaitIdle(Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    watcher = Thread.currentThread();
    while (!isIdle()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      LockSupport.parkNanos(this, LOOK_AGAIN.toNanos());
    }
    return true;
  }

  /** Returns how long it is until the first time limit of a wait; null if there is none. */
  synchronized @Nullable Duration untilNextLimit() {
    long next = waits.stream().mapToLong(wait -> wait.until).min().orElse(Long.MAX_VALUE);
    return next == Long.MAX_VALUE ? null : Duration.ofNanos(next - nanos);
  }
}
