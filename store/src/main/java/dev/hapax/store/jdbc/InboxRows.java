package dev.hapax.store.jdbc;

import dev.hapax.run.Answer;
import dev.hapax.run.InboxEvent;
import dev.hapax.run.InboxOutcome;
import dev.hapax.run.InboxRule;
import dev.hapax.run.NewRun;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The writer's statements on {@code inbox} and {@code inbox_object}. */
final class InboxRows {
  static final String COLUMNS =
      "number, tenant, source, event, object, version, payload, flow, outcome, run, detail, received_at, redeliveries";

  private static final String PUT =
      "INSERT INTO inbox ("
          + COLUMNS
          + """
          , op) VALUES (:number, :tenant, :source, :event, :object, :version, :payload, :flow, :outcome, :run, :detail, :at,
            :redeliveries, :op)
          ON CONFLICT (number) DO UPDATE SET outcome = excluded.outcome, run = excluded.run, detail = excluded.detail,
            op = excluded.op
          """;

  private static final String PUT_OBJECT =
      """
      INSERT INTO inbox_object (tenant, source, object, version, number, run)
      VALUES (:tenant, :source, :object, :version, :number, :run)
      ON CONFLICT (tenant, source, object) DO UPDATE SET version = excluded.version, number = excluded.number, run = excluded.run
      WHERE excluded.version > inbox_object.version
      """;

  private final Prepared find;
  private final Prepared count;
  private final Prepared put;
  private final Prepared object;
  private final Prepared putObject;
  private final Prepared forget;
  private final Prepared forgetObjects;

  InboxRows(Session session) throws SQLException {
    this.find =
        session.prepare(
            "SELECT "
                + COLUMNS
                + " FROM inbox WHERE tenant = :tenant AND source = :source AND event = :event"
                + session.dialect().forUpdate());
    this.count =
        session.prepare(
            "UPDATE inbox SET redeliveries = redeliveries + 1, op = :op WHERE number = :number AND op <> :op");
    this.put = session.prepare(PUT);
    this.object =
        session.prepare(
            "SELECT version, run FROM inbox_object WHERE tenant = :tenant AND source = :source AND object = :object"
                + session.dialect().forUpdate());
    this.putObject = session.prepare(PUT_OBJECT);
    this.forget =
        session.prepare(
            "DELETE FROM inbox WHERE number IN (SELECT number FROM inbox WHERE number < :before ORDER BY number LIMIT :most)");
    this.forgetObjects =
        session.prepare(
            "DELETE FROM inbox_object WHERE (tenant, source, object) IN (SELECT tenant, source, object FROM inbox_object WHERE number < :before ORDER BY number LIMIT :most)");
  }

  /** Begins a run beside the group's own run, if its key has none. */
  interface Spawning {
    Answer spawn(NewRun run, @Nullable Instant occurredAt) throws SQLException;

    /** The holder of the slot that the run needs, if its flow says to refuse it then. */
    @Nullable String busy(NewRun run) throws SQLException;
  }

  /** The newest known state of the object. */
  private record Newest(long version, @Nullable String run) {}

  /** Records the event, starts its run if required, and answers. */
  Answer.Received receive(Change.Receive change, Group group, Spawning spawning)
      throws SQLException {
    InboxEvent event = change.event();
    InboxEvent first =
        find.with(event.tenant()).with(event.source()).with(event.event()).first(InboxRows::row);
    if (first != null && first.number() != event.number()) {
      count.with(group.op()).with(first.number()).update();
      return Answer.Received.again(first);
    }
    if (first != null && !first.outcome().canBeTriedAgain()) {
      return Answer.Received.of(first); // submitted again, or retried by two callers
    }
    return decide(change, first == null ? event : first, group, spawning);
  }

  private Answer.Received decide(
      Change.Receive change, InboxEvent event, Group group, Spawning spawning) throws SQLException {
    Newest newest = newest(event);
    Long version = newest == null ? null : Long.valueOf(newest.version());
    InboxOutcome byVersion = InboxRule.byVersion(event, version);
    NewRun run = change.run();
    InboxEvent after;
    if (byVersion != null) {
      String firstRun = byVersion == InboxOutcome.DUPLICATE && newest != null ? newest.run() : null;
      after = event.with(byVersion, firstRun, InboxRule.reason(event, byVersion, version));
    } else if (run == null) {
      after = event.with(change.refusal(), null, change.problem());
    } else {
      String holder = spawning.busy(run);
      after =
          holder == null
              ? InboxRule.begun(
                  event,
                  run,
                  spawning.spawn(run, change.occurredAt()),
                  change.returnsFirst(),
                  version)
              : InboxRule.rejected(event, holder);
    }
    put(after, group.op());
    return Answer.Received.of(after);
  }

  private @Nullable Newest newest(InboxEvent event) throws SQLException {
    return event.object() == null
        ? null
        : object
            .with(event.tenant())
            .with(event.source())
            .with(event.object())
            .first(row -> new Newest(row.number(1), row.textOrNull(2)));
  }

  private void put(InboxEvent row, long op) throws SQLException {
    put.with(row.number())
        .with(row.tenant())
        .with(row.source())
        .with(row.event())
        .with(row.object())
        .with(row.version())
        .with(row.payload())
        .with(row.flow())
        .with(row.outcome().word())
        .with(row.run())
        .with(row.detail())
        .with(row.receivedAt())
        .with(row.redeliveries())
        .with(op)
        .update();
    if (InboxRule.setsVersion(row, row.outcome())) {
      putObject
          .with(row.tenant())
          .with(row.source())
          .with(row.object())
          .with(row.version())
          .with(row.number())
          .with(row.run())
          .update();
    }
  }

  void forget(Change.ForgetEvents change) throws SQLException {
    forget.with(change.before()).with(change.most()).update();
    forgetObjects.with(change.before()).with(change.most()).update();
  }

  static InboxEvent row(Row row) throws SQLException {
    return new InboxEvent(
        row.number(1),
        row.text(2),
        row.text(3),
        row.text(4),
        row.textOrNull(5),
        row.numberOrNull(6),
        row.text(7),
        row.text(8),
        InboxOutcome.of(row.text(9)),
        row.textOrNull(10),
        row.textOrNull(11),
        row.at(12),
        row.number(13));
  }
}
