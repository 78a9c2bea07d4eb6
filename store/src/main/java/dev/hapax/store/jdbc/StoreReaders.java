package dev.hapax.store.jdbc;

import dev.hapax.flow.StoreBroken;
import dev.hapax.flow.StoreClosed;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.time.Clock;
import dev.hapax.time.Ports;
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
 * Platform threads that read for all callers, each with its own connection. A thread first takes
 * the questions and only then begins to read. Each answer therefore holds everything that was
 * acknowledged before its question, and the questions share the cost of beginning.
 */
public final class StoreReaders implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StoreReaders.class);
  private static final Duration PAUSE_WHEN_LOST = Duration.ofMillis(200);

  /** How many other connections a question is tried on before it fails. */
  private static final int MOST_TRIES = 4;

  /** Waits for a server that restarts, or a standby that takes over. */
  private static final Duration LONGEST_OPENING = Duration.ofSeconds(10);

  private static final Clock CLOCK = Ports.system().clock();

  private final Source source;
  private final Threads threads;
  private final Signal closing;
  private final int mostAtOnce;
  private final Object lock = new Object();
  private final Queue<Question<?>> questions = new ArrayDeque<>();
  private final Queue<Signal> sleeping = new ArrayDeque<>();
  private final List<Signal> ended = new ArrayList<>();
  private boolean closed;
  private volatile @Nullable StoreBroken broken;
  private volatile boolean isAway;

  /**
   * @param readers more than one, so that a long listing does not keep a start waiting for its
   *     lookup
   * @param mostAtOnce the most questions that are answered between one begin and its end
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

  /** Opens readers. */
  public interface Source {
    StoreReader open() throws SQLException;

    /** Classifies the error of a query; an uncertain error counts as of the moment. */
    ReadFailure meaning(SQLException e);

    /** Whether a connection still works after it has refused a question. */
    boolean isUsableAfterRefusal();

    /** Throws {@link StoreBroken} if what was just read may belong to a store that is gone. */
    default void confirm() {}
  }

  public <T extends @Nullable Object> T ask(Query<T> query) {
    return ask(new Question<T>(query, threads.signal(), false));
  }

  /** Asks for an answer that the caller takes for an acknowledgement: it is confirmed. */
  public <T extends @Nullable Object> T askForConfirmed(Query<T> query) {
    return ask(new Question<T>(query, threads.signal(), true));
  }

  private <T extends @Nullable Object> T ask(Question<T> question) {
    synchronized (lock) {
      if (closed) {
        throw refusal();
      }
      questions.add(question);
      Signal sleeper = sleeping.poll();
      if (sleeper != null) {
        sleeper.raise();
      }
    }
    return question.answer();
  }

  private RuntimeException refusal() {
    StoreBroken why = broken;
    return why == null ? new StoreClosed() : why;
  }

  /** A reader that dies breaks the store: questions would gather and never be answered. */
  @SuppressWarnings("CatchingThrowable")
  private void work(StoreReader first, Signal end) {
    var line = new Line(first);
    try {
      for (List<Question<?>> next = take(); !next.isEmpty(); next = take()) {
        line.answer(next);
      }
    } catch (Throwable e) {
      breakDown(e);
    } finally {
      close(line.reader);
      end.raise();
    }
  }

  private void breakDown(Throwable why) {
    var reason = new StoreBroken("a thread that reads the store has ended: " + why, why);
    List<Question<?>> left;
    synchronized (lock) {
      broken = reason;
      closed = true;
      closing.raise();
      left = List.copyOf(questions);
      questions.clear();
      sleeping.forEach(Signal::raise);
    }
    left.forEach(question -> question.end(reason));
  }

  private static void close(StoreReader reader) {
    try {
      reader.close();
    } catch (SQLException e) {
      log.debug("a reader's connection could not be closed", e);
    }
  }

  /** Blocks until there is a question; returns an empty list when closed. */
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

  /** One thread's connection, and its reconnects. */
  private final class Line {
    private StoreReader reader;
    private boolean isUsable = true;

    Line(StoreReader first) {
      this.reader = first;
    }

    /** Answers all together; retries those without an answer one by one, on other connections. */
    @SuppressWarnings("CatchingThrowable") // an asker never waits for a dead thread
    void answer(List<Question<?>> asked) {
      try {
        ask(asked);
        for (Question<?> question : asked) {
          int tries = 1;
          while (!question.isAnswered() && tries++ <= MOST_TRIES && ask(List.of(question))) {
            log.debug("a query was repeated on another connection");
          }
          if (!question.isAnswered()) {
            giveUp(question);
          }
        }
        confirm(asked);
      } catch (Throwable e) {
        var reason = new StoreBroken("the store could not be read: " + e, e);
        asked.forEach(question -> question.end(reason));
        throw e;
      }
      asked.forEach(Question::done);
    }

    /** Looks once for all answers that need it. */
    private void confirm(List<Question<?>> asked) {
      if (asked.stream().anyMatch(Question::needsConfirmation)) {
        try {
          source.confirm();
        } catch (StoreBroken e) {
          asked.stream().filter(Question::needsConfirmation).forEach(q -> q.revoke(e));
        }
      }
    }

    /** Returns false if no connection can be opened. */
    private boolean ask(List<Question<?>> asked) {
      if (!isUsable && !reconnect(asked)) {
        return false;
      }
      try {
        reader.begin();
        for (Question<?> question : asked) {
          question.ask(reader, source);
        }
        reader.end();
      } catch (SQLException e) {
        log.warn("a read connection failed and is replaced by another one: {}", e.getMessage());
        isUsable = false;
        close(reader);
        if (source.meaning(e) == ReadFailure.OF_THE_STORE) {
          var damage = new StoreBroken("the store could not be read: " + e.getMessage(), e);
          asked.forEach(question -> question.failed(damage));
        }
        asked.forEach(question -> question.met(e));
      }
      return true;
    }

    private boolean reconnect(List<Question<?>> asked) {
      long until = CLOCK.nanos() + LONGEST_OPENING.toNanos();
      while (!closing.isRaised()) {
        try {
          reader = source.open();
          isUsable = true;
          isAway = false;
          return true;
        } catch (SQLException e) {
          asked.forEach(question -> question.met(e));
          if (isAway || CLOCK.nanos() - until >= 0) {
            isAway = true; // other questions now fail at once, until a connection opens
            return false;
          }
          closing.await(PAUSE_WHEN_LOST);
        }
      }
      return false;
    }

    /** Fails all waiting questions too: they would only wait as long, one after the other. */
    private void giveUp(Question<?> question) {
      question.failed(question.unavailable());
      if (isAway) {
        List<Question<?>> others;
        synchronized (lock) {
          others = List.copyOf(questions);
          questions.clear();
        }
        others.forEach(other -> other.end(question.unavailable()));
      }
    }
  }

  /** Answers all questions that were already asked. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      closing.raise();
      sleeping.forEach(Signal::raise);
    }
    ended.forEach(Signal::await);
  }

  /** A question to the store. */
  @FunctionalInterface
  public interface Query<T extends @Nullable Object> {
    T of(StoreReader reader) throws SQLException;
  }

  private static final class Question<T extends @Nullable Object> {
    private final Query<T> query;
    private final Signal done;
    private final boolean isConfirmed;
    private boolean isAnswered;
    private @Nullable T found;
    private @Nullable RuntimeException failure;
    private @Nullable SQLException met;

    Question(Query<T> query, Signal done, boolean isConfirmed) {
      this.query = query;
      this.done = done;
      this.isConfirmed = isConfirmed;
    }

    boolean isAnswered() {
      return isAnswered;
    }

    /** Throws errors that say nothing about the question, or that leave the connection unusable. */
    void ask(StoreReader reader, Source source) throws SQLException {
      if (isAnswered) {
        return;
      }
      try {
        found = query.of(reader);
        isAnswered = true;
      } catch (SQLException e) {
        if (source.meaning(e) != ReadFailure.OF_THE_QUESTION) {
          throw e;
        }
        failed(new IllegalStateException("the store refused this query: " + e.getMessage(), e));
        if (!source.isUsableAfterRefusal()) {
          throw e;
        }
      } catch (RuntimeException e) {
        failed(e);
      }
    }

    /** Records why there is no answer so far. */
    void met(SQLException e) {
      met = e;
    }

    void failed(RuntimeException why) {
      if (!isAnswered) {
        failure = why;
        isAnswered = true;
      }
    }

    /** Nothing that was found needs no confirmation: the commit that follows looks for itself. */
    boolean needsConfirmation() {
      return isConfirmed && found != null;
    }

    void revoke(StoreBroken why) {
      failure = why;
    }

    StoreUnavailable unavailable() {
      SQLException why = met;
      return new StoreUnavailable(
          "the store did not answer: " + (why == null ? "it cannot be reached" : why.getMessage()),
          why);
    }

    /** Ends the question: no answer will come. */
    void end(RuntimeException why) {
      failed(why);
      done();
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
