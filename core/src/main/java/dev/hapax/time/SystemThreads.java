package dev.hapax.time;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Real threads. Daemons, so that a library never keeps its host alive. */
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
      await(Long.MAX_VALUE);
    }

    @Override
    public boolean await(Duration atMost) {
      return await(Math.max(0, atMost.toNanos()));
    }

    private boolean await(long nanos) {
      boolean interrupted = false;
      long end = System.nanoTime() + nanos;
      try {
        while (true) {
          try {
            return latch.await(
                nanos == Long.MAX_VALUE ? nanos : end - System.nanoTime(), TimeUnit.NANOSECONDS);
          } catch (InterruptedException e) {
            interrupted = true; // a run is ended by its journal, not by an interrupt
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
