package dev.hapax.time;

/**
 * Starts threads and makes what they wait on. All blocking of the engine goes through {@link
 * Signal}s made here, so that a simulation can hold every thread and let exactly one go on.
 */
public interface Threads {
  /** For flow bodies and attempts: many, mostly blocked. */
  Handle virtual(String name, Runnable body);

  /** For native calls (SQLite) and the committer, which would pin a virtual thread's carrier. */
  Handle platform(String name, Runnable body);

  Signal signal();

  /** A thread that was started; interrupting it is the only thing that can be done to it. */
  interface Handle {
    void interrupt();
  }
}
