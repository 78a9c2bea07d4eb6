package dev.hapax.store.postgres;

import dev.hapax.run.KeyHolder;
import dev.hapax.store.jdbc.Key;
import dev.hapax.time.Signal;
import dev.hapax.time.Threads;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the run that has an id: every start asks. The first caller looks, on its own thread.
 * Callers that arrive meanwhile gather, and one of them looks for all with one statement. Each look
 * begins after its questions, so that an answer holds what was acknowledged before.
 */
final class Lookups implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Lookups.class);

  private final PostgresConnections connections;
  private final Threads threads;
  private final Object lock = new Object();
  private List<Question> gathered = new ArrayList<>(); // guarded by lock, as the next two
  private boolean isLooking;
  private boolean isClosed;
  private @Nullable PostgresReader reader; // of the caller that looks

  Lookups(PostgresConnections connections, Threads threads) {
    this.connections = connections;
    this.threads = threads;
  }

  /**
   * The result of a lookup.
   *
   * @param holder null if the id is free
   */
  record Found(@Nullable KeyHolder holder) {}

  private static final class Question {
    private final Key key;

    /** Raised when there is an answer, or when this question's caller must look. */
    private final Signal called;

    private @Nullable List<Question> turn;
    private @Nullable Found found;

    Question(Key key, Signal called) {
      this.key = key;
      this.called = called;
    }
  }

  /** Null if the lookup failed: then the caller asks the store's readers, which try again. */
  @Nullable Found find(Key key) {
    var question = new Question(key, threads.signal());
    if (!ask(question)) {
      return null;
    }
    question.called.await();
    List<Question> turn = question.turn;
    if (turn != null) {
      look(turn);
    }
    return question.found;
  }

  /** Returns false when closed. */
  private boolean ask(Question question) {
    synchronized (lock) {
      if (isClosed) {
        return false;
      }
      gathered.add(question);
      if (!isLooking) {
        isLooking = true;
        callNext();
      }
      return true;
    }
  }

  /** Requires the lock. */
  private void callNext() {
    Question next = gathered.getFirst();
    next.turn = gathered;
    gathered = new ArrayList<>();
    next.called.raise();
  }

  private void look(List<Question> all) {
    try {
      List<Key> keys = all.stream().map(each -> each.key).toList();
      // Most single questions are about a free id, and learn that for half the cost.
      Map<Key, KeyHolder> holders =
          keys.size() == 1 && reader().isFree(keys.getFirst()) ? Map.of() : reader().holders(keys);
      all.forEach(each -> each.found = new Found(holders.get(each.key)));
    } catch (SQLException | RuntimeException e) {
      log.debug("{} ids are looked up one by one", all.size(), e);
      disconnect();
    } finally {
      passOn();
      all.forEach(each -> each.called.raise());
    }
  }

  private void passOn() {
    synchronized (lock) {
      if (!gathered.isEmpty()) {
        callNext();
        return;
      }
      isLooking = false;
      if (isClosed) {
        disconnect();
      }
    }
  }

  private PostgresReader reader() throws SQLException {
    PostgresReader present = reader;
    if (present == null) {
      present = PostgresReader.on(connections.lookup());
      reader = present;
    }
    return present;
  }

  private void disconnect() {
    PostgresReader last = reader;
    reader = null;
    if (last != null) {
      try {
        last.close();
      } catch (SQLException e) {
        log.debug("a connection could not be closed", e);
      }
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      isClosed = true;
      if (!isLooking) {
        disconnect();
      }
    }
  }
}
