package dev.hapax.store.jdbc;

import dev.hapax.flow.Hold;
import dev.hapax.flow.Line;
import dev.hapax.flow.Step;
import dev.hapax.flow.Subject;
import dev.hapax.store.LineTable;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writer's statements on {@code hold} and {@code line}. */
final class LineRows {
  /** In the order in which {@link #holder} reads them. */
  static final String HOLDER =
      """
      SELECT hold.subject, hold.tenant, hold.flow, hold.key, hold."limit", hold.release, hold.run, hold.place, hold.step, \
      hold.item, hold.since, hold.slot, hold.fence FROM hold \
      """;

  static final String WAITER =
      """
      SELECT line.subject, line.tenant, line.flow, line.key, line."limit", line.release, line.run, line.place, line.step, \
      line.item, line.since FROM line \
      """;

  private static final String FRONT =
      """
      SELECT count(*), coalesce(max("limit"), 0), coalesce(max(release), 0),
        EXISTS (SELECT 1 FROM line WHERE line.subject = :subject)
      FROM hold WHERE subject = :subject
      """;

  private static final String FREE_SLOT =
      """
      SELECT min(free) FROM (
        SELECT 1 AS free WHERE NOT EXISTS (SELECT 1 FROM hold WHERE subject = :subject AND slot = 1)
        UNION ALL
        SELECT slot + 1 FROM hold AS taken WHERE subject = :subject
          AND NOT EXISTS (SELECT 1 FROM hold WHERE hold.subject = taken.subject AND hold.slot = taken.slot + 1)) AS slots
      """;

  private static final String ADD_HOLDER =
      """
      INSERT INTO hold (subject, slot, run, place, fence, tenant, flow, key, step, item, "limit", release, since)
      VALUES (:subject, :slot, :run, :place, :fence, :tenant, :flow, :key, :step, :item, :limit, :release, :since)
      """;

  private static final String ADD_WAITER =
      """
      INSERT INTO line (subject, run, place, tenant, flow, key, step, item, "limit", release, since)
      VALUES (:subject, :run, :place, :tenant, :flow, :key, :step, :item, :limit, :release, :since)
      """;

  /** A run that is to be canceled keeps its slot until it has ended, but already makes room. */
  private static final String NOBODY_ASKED =
      " JOIN run ON run.number = %1$s.run WHERE %1$s.subject = :subject AND run.cancel IS NULL ORDER BY %1$s.place, run";

  private final @Nullable Prepared lock;
  private final Prepared front;
  private final Prepared freeSlot;
  private final Prepared holders;
  private final Prepared first;
  private final Prepared last;
  private final Prepared aliveHolders;
  private final Prepared aliveWaiters;
  private final Prepared holdersOf;
  private final Prepared waitersOf;
  private final Prepared addHolder;
  private final Prepared addWaiter;
  private final Prepared removeHolder;
  private final Prepared removeWaiter;
  private final Prepared limit;
  private final Prepared nextFence;

  LineRows(Session session) throws SQLException {
    String bySubject = "WHERE subject = :subject ORDER BY ";
    String lockLine = session.dialect().lockLine();
    this.lock = lockLine == null ? null : session.prepare(lockLine);
    this.front = session.prepare(FRONT);
    this.freeSlot = session.prepare(FREE_SLOT);
    this.holders = session.prepare(HOLDER + bySubject + "place, run");
    this.first = session.prepare(WAITER + bySubject + "place, run LIMIT 1");
    this.last = session.prepare(WAITER + bySubject + "place DESC, run DESC LIMIT 1");
    this.aliveHolders = session.prepare(HOLDER + NOBODY_ASKED.formatted("hold"));
    this.aliveWaiters = session.prepare(WAITER + NOBODY_ASKED.formatted("line"));
    this.holdersOf = session.prepare(HOLDER + "WHERE run = :run ORDER BY place, subject");
    this.waitersOf = session.prepare(WAITER + "WHERE run = :run ORDER BY place, subject");
    this.addHolder = session.prepare(ADD_HOLDER);
    this.addWaiter = session.prepare(ADD_WAITER);
    this.removeHolder =
        session.prepare("DELETE FROM hold WHERE subject = :subject AND slot = :slot");
    this.removeWaiter =
        session.prepare(
            "DELETE FROM line WHERE subject = :subject AND place = :place AND run = :run");
    this.limit =
        session.prepare(
            "UPDATE hold SET \"limit\" = :limit, release = :release WHERE subject = :subject");
    this.nextFence =
        session.prepare("UPDATE meta SET value = value + 1 WHERE name = 'fence' RETURNING value");
  }

  /** Keeps other transactions from this line until this transaction ends. */
  void lock(Subject subject) throws SQLException {
    if (lock != null) {
      try {
        lock.with(subject.bytes()).first(row -> row.flag(1));
      } catch (SQLException e) {
        throw new LineNotLocked(subject, e);
      }
    }
  }

  LineTable.Front front(Subject subject) throws SQLException {
    LineTable.Front found =
        front
            .with(subject.bytes())
            .first(
                row ->
                    new LineTable.Front(
                        (int) row.number(1),
                        (int) row.number(2),
                        (int) row.number(3),
                        row.flag(4)));
    return found == null ? new LineTable.Front(0, 0, 0, false) : found;
  }

  int freeSlot(Subject subject) throws SQLException {
    Long free = freeSlot.with(subject.bytes()).first(row -> row.number(1));
    return free == null ? 1 : free.intValue();
  }

  List<Hold> holders(Subject subject) throws SQLException {
    return holders.with(subject.bytes()).all(LineRows::holder);
  }

  @Nullable Hold firstWaiting(Subject subject) throws SQLException {
    return first.with(subject.bytes()).first(LineRows::waiter);
  }

  @Nullable Hold lastWaiting(Subject subject) throws SQLException {
    return last.with(subject.bytes()).first(LineRows::waiter);
  }

  List<Hold> aliveHolders(Subject subject) throws SQLException {
    return aliveHolders.with(subject.bytes()).all(LineRows::holder);
  }

  List<Hold> aliveWaiters(Subject subject) throws SQLException {
    return aliveWaiters.with(subject.bytes()).all(LineRows::waiter);
  }

  List<Hold> holdersOf(long run) throws SQLException {
    return holdersOf.with(run).all(LineRows::holder);
  }

  List<Hold> waitersOf(long run) throws SQLException {
    return waitersOf.with(run).all(LineRows::waiter);
  }

  void add(Hold hold) throws SQLException {
    Line line = hold.line();
    Integer slot = hold.slot();
    Prepared add = slot == null ? addWaiter : addHolder;
    add.with(line.subject().bytes());
    if (slot != null) {
      add.with(slot.longValue());
    }
    add.with(hold.run()).with(hold.place());
    if (slot != null) {
      add.with(hold.fence());
    }
    Step step = hold.step();
    add.with(line.tenant())
        .with(line.flow())
        .with(line.key())
        .with(step == null ? null : step.name())
        .with(step == null ? null : step.item())
        .with(line.limit())
        .with(line.release())
        .with(hold.since())
        .update();
  }

  void remove(Hold hold) throws SQLException {
    byte[] subject = hold.line().subject().bytes();
    Integer slot = hold.slot();
    if (slot == null) {
      removeWaiter.with(subject).with(hold.place()).with(hold.run()).update();
    } else {
      removeHolder.with(subject).with(slot.longValue()).update();
    }
  }

  void limit(Subject subject, int newLimit, int release) throws SQLException {
    limit.with(newLimit).with(release).with(subject.bytes()).update();
  }

  long nextFence() throws SQLException {
    Long fence = nextFence.first(row -> row.number(1));
    if (fence == null) {
      throw new SQLException("the last fencing number is not there");
    }
    return fence;
  }

  static Hold holder(Row row) throws SQLException {
    return hold(row, (int) row.number(12), row.number(13));
  }

  static Hold waiter(Row row) throws SQLException {
    return hold(row, null, 0);
  }

  private static Hold hold(Row row, @Nullable Integer slot, long fence) throws SQLException {
    var line =
        new Line(
            Subject.of(row.bytes(1)),
            row.text(2),
            row.textOrNull(3),
            row.textOrNull(4),
            (int) row.number(5),
            (int) row.number(6));
    String step = row.textOrNull(9);
    return new Hold(
        line,
        row.number(7),
        row.number(8),
        slot,
        fence,
        step == null ? null : new Step(step, row.textOrNull(10)),
        row.at(11));
  }
}
