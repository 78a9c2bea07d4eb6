package dev.hapax.time;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Real threads. They are daemons, so that a library never keeps its host alive. */
final class SystemThreads implements Threads {
  @Override
  public Handle virtual(String name, Runnable body) {
    return Thread.ofVirtual().name(name).start(body)::interrupt;
  }

  @Override
  public Handle platform(String name, Runnable body) {
    return Thread.ofPlatform().daemon().name(name).start(body)::interrupt;
  }

  @Override
  public Signal signal() {
    return new Latch();
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // a virtual thread goes to the end of the queue
  public void letOthersRun() {
    Thread.yield();
  }

  private static final class Latch implements Signal {
    private final CountDownLatch latch = new CountDownLatch(1);

    @Override
    public void raise() {
      latch.countDown();
    }

    @Override
    public boolean isRaised() {
      return latch.getCount() == 0;
    }

    @Override
    public void await() {
      uninterruptibly(
          () -> {
            latch.await(); // without a limit: a virtual thread's timed wait costs a task in a
            // scheduler
            return true;
          });
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // a matter of cost, not of correctness
    public boolean await(Duration atMost) {
      // A thread that was just started often ends at once: yielding to it saves the task of a timed
      // wait.
      Thread.yield();
      if (isRaised()) {
        return true;
      }
      long end = System.nanoTime() + Math.max(0, atMost.toNanos());
      return uninterruptibly(() -> latch.await(end - System.nanoTime(), TimeUnit.NANOSECONDS));
    }

    @Override
    public boolean awaitInterruptibly(@Nullable Duration atMost) throws InterruptedException {
      if (atMost == null) {
        latch.await();
        return true;
      }
      return latch.await(Math.max(0, atMost.toNanos()), TimeUnit.NANOSECONDS);
    }

    /**
     * A run is ended by its journal, not by an interrupt. The thread's next wait gets the
     * interrupt.
     */
    private static boolean uninterruptibly(Wait wait) {
      boolean interrupted = false;
      try {
        while (true) {
          try {
            return wait.done();
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    private interface Wait {
      boolean done() throws InterruptedException;
    }
  }
}
