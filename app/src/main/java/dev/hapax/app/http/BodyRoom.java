package dev.hapax.app.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits how many bytes from peers are in memory at once. A request without room waits a moment for
 * those before it, and is asked to retry if that was too short. Safe for many threads.
 */
final class BodyRoom {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final int all;
  private final Semaphore free;

  private BodyRoom(long bytes) {
    this.all = Math.clamp(bytes, 1 << 16, 1 << 30);
    this.free = new Semaphore(all, true); // or large requests would never get room
  }

  /** Creates a room of a fraction of this process's maximum memory. */
  static BodyRoom partOfMemory(int part) {
    return new BodyRoom(Runtime.getRuntime().maxMemory() / part);
  }

  /** Returns its capacity. */
  int size() {
    return all;
  }

  /** Takes room for this many bytes. */
  void take(int bytes) {
    try {
      if (free.tryAcquire(bytes, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw Problem.unavailable("too much is being sent at this moment: send it again soon")
        .header("Connection", "close");
  }

  void give(int bytes) {
    free.release(bytes);
  }
}
