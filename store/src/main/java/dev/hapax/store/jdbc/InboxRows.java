package dev.hapax.store.jdbc;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.ObjectVersion;
import dev.hapax.json.Digest;
import dev.hapax.store.Change;
import dev.hapax.store.EventTable;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The writer's statements on {@code inbox} and {@code inbox_object}. */
final class InboxRows implements EventTable<SQLException> {
  static final String COLUMNS =
      "number, tenant, source, event, object, version, payload, flow, outcome, run, detail, received_at, redeliveries, version_text";

  private static final String PUT =
      "INSERT INTO inbox ("
          + COLUMNS
          + """
          , content, op) VALUES (:number, :tenant, :source, :event, :object, :version, :payload, :flow, :outcome, :run,
            :detail, :at, :redeliveries, :version_text, :content, :op)
          ON CONFLICT (number) DO UPDATE SET outcome = excluded.outcome, run = excluded.run, detail = excluded.detail,
            content = excluded.content, op = excluded.op
          """;

  private static final String PUT_OBJECT =
      """
      INSERT INTO inbox_object (tenant, source, object, version, version_text, number, run)
      VALUES (:tenant, :source, :object, :version, :version_text, :number, :run)
      ON CONFLICT (tenant, source, object) DO UPDATE SET version = excluded.version, version_text = excluded.version_text,
        number = CASE WHEN inbox_object.number > excluded.number THEN inbox_object.number ELSE excluded.number END,
        run = excluded.run
      """;

  /** The row of a version that is no whole number has a number, too, because of its constraint. */
  private static final long NO_WHOLE_NUMBER = 0;

  private static final String SEEN =
      "SELECT "
          + COLUMNS
          + """
           FROM inbox
          WHERE tenant = :tenant AND source = :source AND object = :object AND content = :content
            AND version = :version AND coalesce(version_text, '') = :version_text
          ORDER BY number LIMIT 1
          """;

  private final Prepared find;
  private final Prepared count;
  private final Prepared put;
  private final Prepared seen;
  private final @Nullable Prepared lock;
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
    this.seen = session.prepare(SEEN);
    String lockLine = session.dialect().lockLine();
    this.lock = lockLine == null ? null : session.prepare(lockLine);
    this.object =
        session.prepare(
            "SELECT version, version_text, run FROM inbox_object WHERE tenant = :tenant AND source = :source AND object = :object"
                + session.dialect().forUpdate());
    this.putObject = session.prepare(PUT_OBJECT);
    this.forget =
        session.prepare(
            "DELETE FROM inbox WHERE number IN (SELECT number FROM inbox WHERE number < :before ORDER BY number LIMIT :most)");
    // Number again: another node may have renewed the row between the reading and the deleting.
    this.forgetObjects =
        session.prepare(
            "DELETE FROM inbox_object WHERE number < :before AND (tenant, source, object) IN (SELECT tenant, source, object FROM inbox_object WHERE number < :before ORDER BY number LIMIT :most)");
  }

  @Override
  public @Nullable InboxEvent find(InboxEvent event) throws SQLException {
    return find.with(event.tenant()).with(event.source()).with(event.event()).first(InboxRows::row);
  }

  @Override
  public void countRedelivery(InboxEvent first, long op) throws SQLException {
    count.with(op).with(first.number()).update();
  }

  @Override
  public @Nullable Newest newest(InboxEvent event) throws SQLException {
    String about = event.object();
    if (about == null) {
      return null;
    }
    if (lock != null) {
      // A row that is not there cannot be locked, and two first events would both be the first.
      byte[] subject = Digest.ofParts("inbox", event.tenant(), event.source(), about);
      lock.with(subject).first(row -> row.flag(1));
    }
    return object
        .with(event.tenant())
        .with(event.source())
        .with(about)
        .first(
            row ->
                new Newest(
                    Objects.requireNonNull(VersionColumns.of(row, 1, 2)), row.textOrNull(3)));
  }

  @Override
  public @Nullable InboxEvent seen(InboxEvent event, Fingerprint content) throws SQLException {
    String text = VersionColumns.text(event.version());
    return seen.with(event.tenant())
        .with(event.source())
        .with(event.object())
        .with(content.bytes())
        .with(number(event.version()))
        .with(text == null ? "" : text)
        .first(InboxRows::row);
  }

  private static @Nullable Long number(@Nullable ObjectVersion version) {
    Long number = VersionColumns.number(version);
    return version != null && number == null ? Long.valueOf(NO_WHOLE_NUMBER) : number;
  }

  @Override
  public void put(InboxEvent row, @Nullable Fingerprint content, long op) throws SQLException {
    put.with(row.number())
        .with(row.tenant())
        .with(row.source())
        .with(row.event())
        .with(row.object())
        .with(number(row.version()))
        .with(row.payload())
        .with(row.flow())
        .with(row.outcome().word())
        .with(row.run())
        .with(row.detail())
        .with(row.receivedAt())
        .with(row.redeliveries())
        .with(VersionColumns.text(row.version()))
        .with(EffectMapping.bytes(content))
        .with(op)
        .update();
  }

  @Override
  public void putNewest(InboxEvent row) throws SQLException {
    putObject
        .with(row.tenant())
        .with(row.source())
        .with(row.object())
        .with(number(row.version()))
        .with(VersionColumns.text(row.version()))
        .with(row.number())
        .with(row.run())
        .update();
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
        VersionColumns.of(row, 6, 14),
        row.text(7),
        row.text(8),
        InboxOutcome.of(row.text(9)),
        row.textOrNull(10),
        row.textOrNull(11),
        row.at(12),
        row.number(13));
  }
}
