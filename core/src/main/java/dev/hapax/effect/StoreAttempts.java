package dev.hapax.effect;

import dev.hapax.time.ProcessScope;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The last attempt of each open effect of one store that any engine of this process has begun:
 * closing an engine does not end the code that it has called. Identified by the identity of the
 * store, because one store may be opened by several paths. Safe for many threads.
 */
final class StoreAttempts {
  private final ConcurrentMap<Long, Attempt> last = new ConcurrentHashMap<>();
  private final ConcurrentMap<Long, Awaited> whenAnswered = new ConcurrentHashMap<>();
  private int engines; // guarded by the process

  private record Of(long store) {}

  /** What to do when an attempt at this revision of an effect answers. */
  record Awaited(int revision, Runnable then) {}

  /** An engine opens the store. */
  static StoreAttempts open(ProcessScope process, long store) {
    return process.use(
        new Of(store),
        StoreAttempts.class,
        StoreAttempts::new,
        attempts -> {
          attempts.engines++;
          return true;
        });
  }

  /** An engine closes the store; what it has under way is kept until it returns. */
  static void close(ProcessScope process, long store) {
    process.use(
        new Of(store),
        StoreAttempts.class,
        StoreAttempts::new,
        attempts -> {
          attempts.engines--;
          return attempts.isNeeded();
        });
  }

  /** An attempt of an engine that is closed has returned. */
  static void returned(ProcessScope process, long store) {
    process.use(new Of(store), StoreAttempts.class, StoreAttempts::new, StoreAttempts::isNeeded);
  }

  /** Without an engine only attempts under way count: a later engine asks for itself. */
  private boolean isNeeded() {
    if (engines == 0) {
      last.values().removeIf(Attempt::isOver);
    }
    return engines > 0 || !last.isEmpty();
  }

  ConcurrentMap<Long, Attempt> last() {
    return last;
  }

  /** What an engine does when an attempt answers, no matter which engine began it. */
  ConcurrentMap<Long, Awaited> whenAnswered() {
    return whenAnswered;
  }

  boolean areUnderWay() {
    return last.values().stream().anyMatch(attempt -> !attempt.isOver());
  }

  /** Waits up to this long for one that is under way; false at once if none is. */
  boolean awaitReturn(Duration atMost) {
    for (Attempt attempt : last.values()) {
      if (!attempt.isOver()) {
        attempt.awaitOver(atMost);
        return true;
      }
    }
    return false;
  }
}
