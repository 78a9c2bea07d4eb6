package dev.hapax.store.jdbc;

import java.sql.SQLException;
import java.util.List;

/**
 * The writer's statements on {@code waiter}: which run waits for which effect, run or other thing
 * that has a number. Nearly always nobody waits, and then nothing is asked of the database.
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

  /** The runs that wait for it. */
  List<Long> of(long subject) throws SQLException {
    return someWait ? of.with(subject).all(row -> row.number(1)) : List.of();
  }

  /** This run waits for it no more. */
  void remove(long subject, long run) throws SQLException {
    removeOne.with(subject).with(run).update();
  }

  /** The runs that waited for it, to be woken; they wait no more. */
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
