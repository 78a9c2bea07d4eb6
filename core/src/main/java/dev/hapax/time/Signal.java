package dev.hapax.time;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A signal that is raised once and stays raised. Raising never blocks, so it may be done under a
 * lock.
 */
public interface Signal {
  void raise();

  boolean isRaised();

  /**
   * Waits until it is raised. An interrupt does not end the wait; the thread's next wait gets it.
   */
  void await();

  /** Waits at most this long and returns whether it was raised. */
  boolean await(Duration atMost);

  /**
   * As above, for threads outside the engine: an interrupt ends the wait.
   *
   * @param atMost null for no limit
   */
  boolean awaitInterruptibly(@Nullable Duration atMost) throws InterruptedException;
}
