package dev.hapax.testkit;

import dev.hapax.time.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A signal whose time limits are measured on a {@link ManualTime}. */
final class ManualSignal implements Signal {
  private final WaitingThreads threads;
  private final List<WaitingThreads.Wait> waits = new ArrayList<>();
  private boolean raised;

  ManualSignal(WaitingThreads threads) {
    this.threads = threads;
  }

  @Override
  public void raise() {
    synchronized (threads) {
      raised = true;
      waits.forEach(threads::wake);
      waits.clear();
    }
  }

  @Override
  public boolean isRaised() {
    synchronized (threads) {
      return raised;
    }
  }

  @Override
  public void await() {
    await(Duration.ofNanos(Long.MAX_VALUE));
  }

  @Override
  public boolean await(Duration atMost) {
    WaitingThreads.Wait wait = begin(atMost.toNanos(), false);
    boolean interrupted = false;
    while (wait != null && !wait.isOver()) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return end(wait);
  }

  @Override
  public boolean awaitInterruptibly(@Nullable Duration atMost) throws InterruptedException {
    WaitingThreads.Wait wait = begin(atMost == null ? Long.MAX_VALUE : atMost.toNanos(), true);
    while (wait != null && !wait.isOver()) {
      LockSupport.park(this);
      if (Thread.interrupted()) {
        end(wait);
        throw new InterruptedException();
      }
    }
    return end(wait);
  }

  /** Returns null if there is nothing to wait for. */
  private WaitingThreads.@Nullable Wait begin(long limitNanos, boolean isInterruptible) {
    synchronized (threads) {
      if (raised || limitNanos <= 0) {
        return null;
      }
      WaitingThreads.Wait wait = threads.begin(limitNanos, isInterruptible);
      waits.add(wait);
      return wait;
    }
  }

  private boolean end(WaitingThreads.@Nullable Wait wait) {
    synchronized (threads) {
      if (wait != null) {
        threads.end(wait);
        waits.remove(wait);
      }
      return raised;
    }
  }
}
