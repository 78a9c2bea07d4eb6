package dev.hapax.store.jdbc;

import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.journal.Answer;
import dev.hapax.store.Change;
import dev.hapax.store.InstantRule;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The writer's statements on {@code schedule}. */
final class ScheduleRows {
  static final String COLUMNS =
      "tenant, name, flow, next_at, last_at, paused, note, version, last_run, skipped, queued_until";

  private static final String PUT =
      "INSERT INTO schedule ("
          + COLUMNS
          + """
          ) VALUES (:tenant, :name, :flow, :next, :last, :paused, :note, :version, :last_run, :skipped, :queued_until)
          ON CONFLICT (tenant, name) DO UPDATE SET flow = excluded.flow, next_at = excluded.next_at,
            last_at = excluded.last_at, paused = excluded.paused, note = excluded.note, version = excluded.version,
            last_run = excluded.last_run, skipped = excluded.skipped, queued_until = excluded.queued_until
          WHERE schedule.version IN (:found, excluded.version)
          """;

  private final Prepared version;
  private final Prepared find;
  private final Prepared put;
  private final Prepared delete;

  ScheduleRows(Session session) throws SQLException {
    this.version =
        session.prepare(
            "SELECT version FROM schedule WHERE tenant = :tenant AND name = :name"
                + session.dialect().forUpdate());
    this.find =
        session.prepare(
            "SELECT " + COLUMNS + " FROM schedule WHERE tenant = :tenant AND name = :name");
    this.put = session.prepare(PUT);
    this.delete = session.prepare("DELETE FROM schedule WHERE tenant = :tenant AND name = :name");
  }

  /** Returns whether the change holds: no other caller has written meanwhile. */
  boolean put(Change.PutSchedule change, long op) throws SQLException {
    ScheduleRecord row = change.schedule();
    long found = version(row.tenant(), row.name());
    return change.holdsAt(found, op) && write(row, found, op);
  }

  /**
   * Starts the runs of its instants, as the rule decides. Returns null if the change does not hold:
   * another caller has written meanwhile.
   */
  Answer.@Nullable Fired fire(Change.FireSchedule change, InstantRule<SQLException> rule, long op)
      throws SQLException {
    ScheduleRecord row = change.schedule();
    long found = version(row.tenant(), row.name());
    if (found == op) {
      ScheduleRecord stored = find.with(row.tenant()).with(row.name()).first(ScheduleRows::row);
      return rule.again(change, Objects.requireNonNull(stored));
    }
    if (found != change.expected()) {
      return null;
    }
    InstantRule.Decision decision = rule.fire(change);
    return write(decision.row(), found, op) ? decision.answer() : null;
  }

  private boolean write(ScheduleRecord row, long found, long op) throws SQLException {
    return put.with(row.tenant())
            .with(row.name())
            .with(row.flow())
            .with(row.nextAt())
            .with(row.lastAt())
            .with(row.isPaused() ? 1 : 0)
            .with(row.note())
            .with(op)
            .with(row.lastRun())
            .with(row.skipped())
            .with(row.queuedUntil())
            .with(found)
            .update()
        == 1;
  }

  boolean remove(Change.RemoveSchedule change) throws SQLException {
    if (!change.holdsAt(version(change.tenant(), change.name()))) {
      return false;
    }
    delete.with(change.tenant()).with(change.name()).update();
    return true;
  }

  private long version(String tenant, String name) throws SQLException {
    Long found = version.with(tenant).with(name).first(row -> row.number(1));
    return found == null ? 0 : found;
  }

  static ScheduleRecord row(Row row) throws SQLException {
    return new ScheduleRecord(
        row.text(1),
        row.text(2),
        row.text(3),
        row.atOrNull(4),
        row.atOrNull(5),
        row.flag(6),
        row.textOrNull(7),
        row.number(8),
        row.textOrNull(9),
        row.number(10),
        row.atOrNull(11));
  }
}
