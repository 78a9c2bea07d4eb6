package dev.hapax.store.destination;

import dev.hapax.flow.NotApplied;
import dev.hapax.time.Ports;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The turn to use a database that blocks in native code, as SQLite does while another connection
 * writes. A virtual thread that blocks there keeps its carrier thread; as many of them as there are
 * cores would stop every run. So callers wait in Java, in order, and the caller that has the turn
 * works on a platform thread. Other databases have no turns: all callers use them at once.
 */
final class NativeTurn {
  /** By file, so that all data sources for one file share a lock. */
  private static final Map<String, Lock> LOCKS = new ConcurrentHashMap<>();

  /** Work that uses the database again inside its own turn must not wait for itself. */
  private static final ScopedValue<Boolean> INSIDE = ScopedValue.newInstance();

  private static final String NO_FILE = "";

  private final ConnectionSource source;
  private final Threads threads = Ports.system().threads();

  /** {@link #NO_FILE} for a database that does not block in native code; null until it is known. */
  private volatile @Nullable String file;

  NativeTurn(ConnectionSource source) {
    this.source = source;
  }

  /** For a database that never blocks in native code. */
  static NativeTurn unlimited(ConnectionSource source) {
    var turn = new NativeTurn(source);
    turn.file = NO_FILE;
    return turn;
  }

  <T> T call(Callable<T> work) throws Exception {
    if (INSIDE.isBound()) {
      return work.call();
    }
    String place = file();
    if (place.equals(NO_FILE)) {
      return work.call();
    }
    Lock lock = LOCKS.computeIfAbsent(place, _ -> new ReentrantLock(true));
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NotApplied("interrupted while waiting for its turn to write to " + place, e);
    }
    try {
      return onPlatformThread(() -> ScopedValue.where(INSIDE, true).call(work::call));
    } finally {
      lock.unlock();
    }
  }

  private String file() throws Exception {
    String known = file;
    if (known == null) {
      known = onPlatformThread(this::look);
      if (known != null) {
        file = known;
      }
    }
    return known == null ? NO_FILE : known;
  }

  /** Null if there is no connection; the caller's own work then finds out why. */
  private @Nullable String look() {
    try (Connection connection = source.connect()) {
      var data = connection.getMetaData();
      return "SQLite".equals(data.getDatabaseProductName()) ? path(data.getURL()) : NO_FILE;
    } catch (SQLException e) {
      return null;
    }
  }

  private static String path(String url) {
    String name = url.replaceFirst("^jdbc:sqlite:", "").replaceFirst("\\?.*", "");
    try {
      return Path.of(name).toRealPath().toString();
    } catch (IOException | InvalidPathException e) {
      return url; // in memory, for example
    }
  }

  /** Passes an interrupt on, then still waits for the end: only the end shows what happened. */
  private <T extends @Nullable Object> T onPlatformThread(Callable<T> work) throws Exception {
    if (!Thread.currentThread().isVirtual()) {
      return work.call();
    }
    var call = new Call<T>(work, MDC.getCopyOfContextMap());
    Signal done = threads.signal();
    Threads.Handle worker =
        threads.platform(
            "hapax-native",
            () -> {
              try {
                call.run();
              } finally {
                done.raise();
              }
            });
    try {
      done.awaitInterruptibly(null);
    } catch (InterruptedException e) {
      worker.interrupt();
      done.await();
      Thread.currentThread().interrupt();
    }
    return call.result();
  }

  /** The work on the other thread, together with the run's logging context. */
  private static final class Call<T extends @Nullable Object> {
    private final Callable<T> work;
    private final @Nullable Map<String, String> names;
    private @Nullable T answer;
    private @Nullable Throwable failure;

    Call(Callable<T> work, @Nullable Map<String, String> names) {
      this.work = work;
      this.names = names;
    }

    void run() {
      if (names != null) {
        MDC.setContextMap(names);
      }
      try {
        answer = work.call();
      } catch (Throwable e) { // rethrown by the waiting thread
        failure = e;
      }
    }

    @SuppressWarnings("NullAway") // T may be nullable
    T result() throws Exception {
      switch (failure) {
        case null -> {
          return answer;
        }
        case Exception e -> throw e;
        case Error e -> throw e;
        case Throwable e -> throw new IllegalStateException(e);
      }
    }
  }
}
