package dev.hapax.store.jdbc;

import dev.hapax.store.StoreBroken;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Platform threads that read for everybody, each with a connection of its own. A thread first takes
 * what has been asked and only then begins to look, so that each answer holds what was acknowledged
 * before its question, and the cost of beginning is shared.
 */
public final class StoreReaders implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StoreReaders.class);
  private static final Duration PAUSE_WHEN_LOST = Duration.ofMillis(200);

  private final Source source;
  private final Threads threads;
  private final Signal closing;
  private final int mostAtOnce;
  private final Object lock = new Object();
  private final Queue<Question<?>> questions = new ArrayDeque<>();
  private final Queue<Signal> sleeping = new ArrayDeque<>();
  private final List<Signal> ended = new ArrayList<>();
  private boolean closed;

  /**
   * @param readers more than one, so that a long listing does not keep a start waiting for its
   *     lookup
   * @param mostAtOnce questions that are answered between one begin and its end
   */
  public StoreReaders(Source source, Threads threads, int readers, int mostAtOnce)
      throws SQLException {
    this.source = source;
    this.threads = threads;
    this.closing = threads.signal();
    this.mostAtOnce = mostAtOnce;
    List<StoreReader> opened = new ArrayList<>();
    try {
      for (int i = 0; i < readers; i++) {
        opened.add(source.open());
      }
    } catch (SQLException e) {
      for (StoreReader reader : opened) {
        reader.close();
      }
      throw e;
    }
    for (StoreReader reader : opened) {
      Signal end = threads.signal();
      ended.add(end);
      threads.platform("hapax-reader-" + ended.size(), () -> work(reader, end));
    }
  }

  /** Where readers come from. */
  public interface Source {
    StoreReader open() throws SQLException;

    /** Whether nothing is wrong but the connection: then the same is asked on another one. */
    boolean isLost(SQLException e);
  }

  public <T extends @Nullable Object> T ask(Query<T> query) {
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

  private void work(StoreReader first, Signal end) {
    StoreReader reader = first;
    try {
      for (List<Question<?>> next = take(); !next.isEmpty(); next = take()) {
        reader = answer(reader, next);
      }
    } finally {
      close(reader);
      end.raise();
    }
  }

  private static void close(StoreReader reader) {
    try {
      reader.close();
    } catch (SQLException e) {
      log.debug("a reader's connection could not be closed", e);
    }
  }

  /** Blocks until something is asked; empty when closed. */
  private List<Question<?>> take() {
    while (true) {
      Signal asked;
      synchronized (lock) {
        if (!questions.isEmpty()) {
          List<Question<?>> taken = new ArrayList<>();
          while (!questions.isEmpty() && taken.size() < mostAtOnce) {
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

  /** The reader to go on with. */
  private StoreReader answer(StoreReader first, List<Question<?>> questions) {
    StoreReader reader = first;
    SQLException lost = ask(reader, questions);
    while (lost != null && !closing.isRaised()) {
      StoreReader another = reconnect(lost);
      if (another != null) {
        close(reader);
        reader = another;
        lost = ask(reader, questions);
      }
    }
    if (lost != null) {
      fail(questions, lost);
    }
    questions.forEach(Question::done);
    return reader;
  }

  private @Nullable StoreReader reconnect(SQLException why) {
    log.warn("a connection for reading is lost, another one is opened: {}", why.getMessage());
    try {
      return source.open();
    } catch (SQLException e) {
      closing.await(PAUSE_WHEN_LOST);
      return null;
    }
  }

  /** Not null if the connection was lost meanwhile: then all of them are to be asked again. */
  private @Nullable SQLException ask(StoreReader reader, List<Question<?>> questions) {
    try {
      reader.begin();
      for (Question<?> question : questions) {
        question.ask(reader, source);
      }
      reader.end();
    } catch (SQLException e) {
      if (source.isLost(e)) {
        return e;
      }
      fail(questions, e);
    }
    return null;
  }

  private static void fail(List<Question<?>> questions, SQLException e) {
    questions.forEach(question -> question.fail(e));
  }

  /** Everything that has been asked is answered. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      closing.raise();
      sleeping.forEach(Signal::raise);
    }
    ended.forEach(Signal::await);
  }

  /** What is asked of the store. */
  @FunctionalInterface
  public interface Query<T extends @Nullable Object> {
    T of(StoreReader reader) throws SQLException;
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

    void ask(StoreReader reader, Source source) throws SQLException {
      try {
        found = query.of(reader);
      } catch (SQLException e) {
        if (source.isLost(e)) {
          throw e;
        }
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
