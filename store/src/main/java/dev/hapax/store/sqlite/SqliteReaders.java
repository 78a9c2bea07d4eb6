package dev.hapax.store.sqlite;

import dev.hapax.store.StoreBroken;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Platform threads that read for everybody: SQLite is native code and would hold a virtual thread's
 * carrier. A thread first takes what has been asked and only then opens one transaction for all of
 * it, so that each answer holds what was acknowledged before its question, and the transaction's
 * cost is shared.
 */
final class SqliteReaders implements AutoCloseable {
  /** Two, so that a long listing does not keep a start waiting for its lookup. */
  private static final int READERS = 2;

  /** A transaction that lasts keeps the WAL from starting over. */
  private static final int MOST_AT_ONCE = 128;

  private final Threads threads;
  private final Object lock = new Object();
  private final Queue<Question<?>> questions = new ArrayDeque<>();
  private final Queue<Signal> sleeping = new ArrayDeque<>();
  private final List<Signal> ended = new ArrayList<>();
  private boolean closed;

  SqliteReaders(Path file, Threads threads) throws SQLException {
    this.threads = threads;
    for (int i = 1; i <= READERS; i++) {
      var reader = new SqliteReader(SqliteConnections.reader(file));
      Signal end = threads.signal();
      ended.add(end);
      threads.platform("hapax-reader-" + i, () -> work(reader, end));
    }
  }

  <T extends @Nullable Object> T ask(Query<T> query) {
    var question = new Question<T>(query, threads.signal());
    synchronized (lock) {
      if (closed) {
        throw new IllegalStateException("the store is closed");
      }
      questions.add(question);
      Signal sleeper = sleeping.poll();
      if (sleeper != null) {
        sleeper.raise();
      }
    }
    return question.answer();
  }

  private void work(SqliteReader reader, Signal end) {
    try (reader) {
      for (List<Question<?>> next = take(); !next.isEmpty(); next = take()) {
        answer(reader, next);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("a connection could not be closed", e);
    } finally {
      end.raise();
    }
  }

  /** Blocks until something is asked; empty when closed. */
  private List<Question<?>> take() {
    while (true) {
      Signal asked;
      synchronized (lock) {
        if (!questions.isEmpty()) {
          List<Question<?>> taken = new ArrayList<>();
          while (!questions.isEmpty() && taken.size() < MOST_AT_ONCE) {
            taken.add(questions.remove());
          }
          return taken;
        }
        if (closed) {
          return List.of();
        }
        asked = threads.signal();
        sleeping.add(asked);
      }
      asked.await();
    }
  }

  private static void answer(SqliteReader reader, List<Question<?>> questions) {
    try {
      reader.begin();
      questions.forEach(question -> question.ask(reader));
      reader.end();
    } catch (SQLException e) {
      questions.forEach(question -> question.fail(e));
    }
    questions.forEach(Question::done);
  }

  /** Everything that has been asked is answered. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      sleeping.forEach(Signal::raise);
    }
    ended.forEach(Signal::await);
  }

  /** What is asked of the store. */
  @FunctionalInterface
  interface Query<T extends @Nullable Object> {
    T of(SqliteReader reader) throws SQLException;
  }

  private static final class Question<T extends @Nullable Object> {
    private final Query<T> query;
    private final Signal done;
    private @Nullable T found;
    private @Nullable RuntimeException failure;

    Question(Query<T> query, Signal done) {
      this.query = query;
      this.done = done;
    }

    void ask(SqliteReader reader) {
      try {
        found = query.of(reader);
      } catch (SQLException e) {
        fail(e);
      } catch (RuntimeException e) {
        failure = e;
      } catch (Error e) {
        failure = new IllegalStateException("a query failed", e); // its thread has others to answer
      }
    }

    void fail(SQLException e) {
      failure = new StoreBroken("the store could not be read: " + e.getMessage(), e);
    }

    void done() {
      done.raise();
    }

    @SuppressWarnings("NullAway") // null only where T allows it: found is set unless failure is
    T answer() {
      done.await();
      if (failure != null) {
        throw failure;
      }
      return found;
    }
  }
}
