package dev.hapax.app.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How much of what peers send may be in memory at once. Whoever finds no room waits a moment for
 * those before them, and is told to come again if that was too short. Safe for many threads.
 */
final class BodyRoom {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final int all;
  private final Semaphore free;

  private BodyRoom(long bytes) {
    this.all = Math.clamp(bytes, 1 << 16, 1 << 30);
    this.free = new Semaphore(all, true); // or large ones would never get in
  }

  /** A part of the memory that this process may have. */
  static BodyRoom partOfMemory(int part) {
    return new BodyRoom(Runtime.getRuntime().maxMemory() / part);
  }

  /** How much can be in it at all. */
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
