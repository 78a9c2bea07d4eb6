package dev.hapax.flows.connection;

import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Closes the sockets and sessions of attempts whose time is over. A socket's own timeout limits one
 * read; it limits neither a write to a peer that does not read nor the sum of many short reads.
 * Safe for many threads.
 */
final class Deadlines {
  /** How late a socket may be closed. */
  private static final Duration TICK = Duration.ofMillis(25);

  /** How long the thread waits for more work before it ends. */
  private static final long IDLE_NANOS = Duration.ofSeconds(5).toNanos();

  private static final Deadlines SHARED = new Deadlines(Ports.system());

  private final Clock clock;
  private final Threads threads;
  private final TreeMap<Watch, Closeable> open = new TreeMap<>(); // guarded by this
  private long lastId; // guarded by this
  private long idleSince; // guarded by this
  private boolean isRunning; // guarded by this

  /** A socket that is closed at this time. Times are compared by their difference. */
  record Watch(long dueNanos, long id) implements Comparable<Watch> {
    @Override
    public int compareTo(Watch other) {
      int byTime = Long.signum(dueNanos - other.dueNanos);
      return byTime == 0 ? Long.compare(id, other.id) : byTime;
    }
  }

  private Deadlines(Ports ports) {
    this.clock = ports.clock();
    this.threads = ports.threads();
  }

  /** The deadlines of all attempts in this process. */
  static Deadlines shared() {
    return SHARED;
  }

  /** Closes the socket at this time, unless it is forgotten before. */
  synchronized Watch watch(Closeable socket, long dueNanos) {
    var watch = new Watch(dueNanos, ++lastId);
    open.put(watch, socket);
    if (!isRunning) {
      isRunning = true;
      threads.platform("hapax-deadlines", this::loop);
    }
    return watch;
  }

  /** As above, after this time. */
  Watch watchFor(Closeable socket, Duration timeout) {
    return watch(socket, clock.nanos() + timeout.toNanos());
  }

  synchronized void forget(Watch watch) {
    open.remove(watch);
    if (open.isEmpty()) {
      idleSince = clock.nanos();
    }
  }

  private void loop() {
    boolean isOver = false;
    try {
      closeLate();
      isOver = true;
    } finally {
      if (!isOver) {
        died();
      }
    }
  }

  /** The next attempt starts another thread. */
  private synchronized void died() {
    isRunning = false;
  }

  private void closeLate() {
    Signal never = threads.signal();
    while (goesOn()) {
      for (Closeable late = nextLate(); late != null; late = nextLate()) {
        close(late);
      }
      never.await(TICK);
    }
  }

  private static void close(Closeable late) {
    try {
      late.close();
    } catch (IOException | RuntimeException e) {
      // it is abandoned anyway
    }
  }

  private synchronized boolean goesOn() {
    isRunning = !open.isEmpty() || clock.nanos() - idleSince < IDLE_NANOS;
    return isRunning;
  }

  private synchronized @Nullable Closeable nextLate() {
    if (open.isEmpty() || open.firstKey().dueNanos() - clock.nanos() > 0) {
      return null;
    }
    return open.pollFirstEntry().getValue();
  }
}
