package dev.hapax.time;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A door that opens once and stays open. Raising never blocks, so it may be done under a lock. */
public interface Signal {
  void raise();

  boolean isRaised();

  /**
   * Waits until it is raised; an interrupt does not end the wait, it is handed on to whoever waits
   * next.
   */
  void await();

  /** Waits at most this long and tells whether it was raised. */
  boolean await(Duration atMost);

  /**
   * As above, for threads that are not the engine's: an interrupt ends the wait.
   *
   * @param atMost null for as long as it takes
   */
  boolean awaitInterruptibly(@Nullable Duration atMost) throws InterruptedException;
}
