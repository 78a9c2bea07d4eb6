package dev.hapax.app.http;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Limits how many bytes from peers are in memory at once. A request without room waits a moment for
 * those before it, and is asked to retry if that was too short. Bodies that have stopped arriving
 * lose their room first, so that silent peers delay no other. Safe for many threads.
 */
final class BodyRoom {
  /** Between them the room is looked through for bodies that do not arrive; ten seconds in all. */
  private static final List<Duration> PATIENCE =
      List.of(Duration.ofMillis(500), Duration.ofMillis(1_500), Duration.ofSeconds(8));

  private static final Duration SILENCE = Duration.ofMillis(500);

  private final int all;
  private final Semaphore free;
  private final Set<Arrival> arrivals = ConcurrentHashMap.newKeySet();

  BodyRoom(long bytes) {
    this.all = Math.clamp(bytes, 1 << 16, 1 << 30);
    this.free = new Semaphore(all, true); // or large requests would never get room
  }

  /** A body that takes room while it arrives. */
  static final class Arrival {
    private final int room;
    private final Runnable end;
    private volatile long lastAt = System.nanoTime();

    /**
     * A body of which nothing has arrived.
     *
     * @param room how many bytes it takes
     * @param end disconnects its peer, whose request then gives the room back
     */
    Arrival(int room, Runnable end) {
      this.room = room;
      this.end = end;
    }

    /** More of it has arrived. */
    void progressed() {
      lastAt = System.nanoTime();
    }
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
      if (free.tryAcquire(bytes, 0, TimeUnit.MILLISECONDS)) {
        return;
      }
      for (Duration patience : PATIENCE) {
        endSilent(bytes);
        if (free.tryAcquire(bytes, patience.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw Problem.unavailable("the server is receiving too much data at the moment: try again soon")
        .header("Connection", "close");
  }

  void give(int bytes) {
    free.release(bytes);
  }

  /** From now on the body may be ended if it stops arriving. */
  void begin(Arrival arrival) {
    arrivals.add(arrival);
  }

  void end(Arrival arrival) {
    arrivals.remove(arrival);
  }

  /** Ends the bodies that have been silent for longest, until there would be enough room. */
  private void endSilent(int wanted) {
    long latest = System.nanoTime() - SILENCE.toNanos();
    List<Arrival> silent =
        arrivals.stream()
            .filter(arrival -> arrival.lastAt - latest < 0)
            .sorted(Comparator.comparingLong(arrival -> arrival.lastAt - latest))
            .toList();
    long soon = free.availablePermits();
    for (Arrival arrival : silent) {
      if (soon >= wanted) {
        return;
      }
      soon += arrival.room;
      arrivals.remove(arrival);
      arrival.end.run();
    }
  }
}
