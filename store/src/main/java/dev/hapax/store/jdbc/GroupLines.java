package dev.hapax.store.jdbc;

import dev.hapax.flow.Hold;
import dev.hapax.flow.Run;
import dev.hapax.flow.Subject;
import dev.hapax.store.LineTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of lines as one group sees them. Wakes the runs that it lets in or asks to cancel. */
final class GroupLines implements LineTable<SQLException> {
  private final Tables tables;
  private final Waker waker;

  /** Makes a run due at once, as part of the present group. */
  @FunctionalInterface
  interface Waker {
    void wake(long run) throws SQLException;
  }

  GroupLines(Tables tables, Waker waker) {
    this.tables = tables;
    this.waker = waker;
  }

  private LineRows rows() {
    return tables.lines();
  }

  @Override
  public Front front(Subject subject) throws SQLException {
    rows().lock(subject);
    return rows().front(subject);
  }

  @Override
  public int freeSlot(Subject subject) throws SQLException {
    return rows().freeSlot(subject);
  }

  @Override
  public List<Hold> holders(Subject subject) throws SQLException {
    return rows().holders(subject);
  }

  @Override
  public @Nullable Hold firstWaiting(Subject subject) throws SQLException {
    return rows().firstWaiting(subject);
  }

  @Override
  public @Nullable Hold lastWaiting(Subject subject) throws SQLException {
    return rows().lastWaiting(subject);
  }

  @Override
  public List<Hold> alive(Subject subject) throws SQLException {
    return both(rows().aliveHolders(subject), rows().aliveWaiters(subject));
  }

  @Override
  public List<Hold> of(long run) throws SQLException {
    for (Hold own : both(rows().holdersOf(run), rows().waitersOf(run))) {
      rows().lock(own.line().subject()); // a waiting run may be let in before it is locked
    }
    return both(rows().holdersOf(run), rows().waitersOf(run));
  }

  private static List<Hold> both(List<Hold> holders, List<Hold> waiters) {
    var all = new ArrayList<>(holders);
    all.addAll(waiters);
    all.sort(Comparator.comparingLong(Hold::place).thenComparingLong(Hold::run));
    return all;
  }

  @Override
  public List<Long> waiters(long run) throws SQLException {
    return tables.waiters().of(run);
  }

  @Override
  public void add(Hold hold) throws SQLException {
    rows().add(hold);
  }

  @Override
  public void remove(Hold hold) throws SQLException {
    rows().remove(hold);
  }

  @Override
  public void limit(Subject subject, int limit, int release) throws SQLException {
    rows().limit(subject, limit, release);
  }

  @Override
  public long nextFence() throws SQLException {
    return rows().nextFence();
  }

  @Override
  public String id(long run) throws SQLException {
    return tables.runs().id(run);
  }

  @Override
  public void letIn(Hold hold) throws SQLException {
    if (!hold.line().isLock()) {
      tables.runs().letIn(hold.run());
    }
    waker.wake(hold.run());
  }

  @Override
  public void askToCancel(long run, Run.Cancel wish) throws SQLException {
    tables.runs().requestCancel(run, wish);
    waker.wake(run);
  }
}
