package dev.hapax.time;

/**
 * Starts threads and creates the signals that they wait on. The engine blocks only on {@link
 * Signal}s made here, so that a simulation can hold all threads and let exactly one continue.
 */
public interface Threads {
  /** Starts a thread for flow bodies and attempts: many, mostly blocked. */
  Handle virtual(String name, Runnable body);

  /**
   * Starts a thread for native calls (SQLite) and the committer, which would pin a virtual thread's
   * carrier.
   */
  Handle platform(String name, Runnable body);

  Signal signal();

  /**
   * Lets other threads run. Called now and then by work that may go on for long without blocking: a
   * virtual thread would otherwise keep its carrier thread from all others.
   */
  default void letOthersRun() {}

  /** A started thread. It can only be interrupted. */
  interface Handle {
    void interrupt();
  }
}
