package dev.hapax.store.jdbc;

import java.sql.SQLException;
import java.util.List;

/**
 * The writer's statements on {@code waiter}: which run waits for which effect, run or other thing
 * that has a number. Usually there is no waiter, and then the database is not asked.
 */
final class WaiterRows {
  private final Prepared add;
  private final Prepared of;
  private final Prepared remove;
  private final Prepared removeOne;
  private final Prepared any;
  private final boolean isShared;
  private boolean someWait;

  WaiterRows(Session session) throws SQLException {
    this.add =
        session.prepare(
            "INSERT INTO waiter (subject, run) VALUES (:subject, :run) ON CONFLICT DO NOTHING");
    this.of = session.prepare("SELECT run FROM waiter WHERE subject = :subject ORDER BY run");
    this.remove = session.prepare("DELETE FROM waiter WHERE subject = :subject RETURNING run");
    this.removeOne = session.prepare("DELETE FROM waiter WHERE subject = :subject AND run = :run");
    this.any = session.prepare("SELECT EXISTS (SELECT 1 FROM waiter)");
    this.isShared = session.dialect().isShared();
    this.someWait = look();
  }

  void add(long subject, long run) throws SQLException {
    someWait = true;
    add.with(subject).with(run).update();
  }

  /** Returns the runs that wait for it. */
  List<Long> of(long subject) throws SQLException {
    return someWait ? of.with(subject).all(row -> row.number(1)) : List.of();
  }

  /** Removes this run from those that wait for it. */
  void remove(long subject, long run) throws SQLException {
    removeOne.with(subject).with(run).update();
  }

  /** Removes and returns the runs that waited for it; the caller wakes them. */
  List<Long> remove(long subject) throws SQLException {
    if (!someWait) {
      return List.of();
    }
    List<Long> runs = remove.with(subject).all(row -> row.number(1));
    someWait = runs.isEmpty() || look();
    return runs;
  }

  private boolean look() throws SQLException {
    return isShared || Boolean.TRUE.equals(any.first(row -> row.flag(1)));
  }

  void rolledBack() {
    someWait = true;
  }
}
