package dev.hapax.store.jdbc;

import dev.hapax.flow.Flow;
import dev.hapax.flow.InboxEvent;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.store.EffectUse;
import dev.hapax.store.RetentionReads.Counts;
import dev.hapax.store.RetentionReads.Expiring;
import dev.hapax.store.RetentionReads.Leaving;
import dev.hapax.store.RetentionReads.LeavingKind;
import dev.hapax.time.IdSource;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The queries about retention, on one connection. Used by one thread. */
final class RetentionReader {
  private static final String RUNS =
      "SELECT number FROM run WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit";

  private static final String JOURNALS =
      "SELECT number FROM expired_run WHERE journal_left = 1 ORDER BY number LIMIT :limit";

  private static final String TOMBSTONES =
      "SELECT number FROM expired_run WHERE until <= :now AND journal_left = 0 ORDER BY until LIMIT :limit";

  private static final String NEXT =
      """
      SELECT min(at) FROM (
        SELECT min(expires_at) AS at FROM run WHERE expires_at IS NOT NULL
        UNION ALL SELECT min(until) FROM expired_run
        UNION ALL SELECT min(expires_at) FROM effect WHERE expires_at IS NOT NULL
        UNION ALL SELECT min(until) FROM expired_effect
        UNION ALL SELECT min(until) FROM revision WHERE until IS NOT NULL
        UNION ALL SELECT 0 WHERE EXISTS (SELECT 1 FROM expired_run WHERE journal_left = 1)) AS times
      """;

  private static final String EFFECTS =
      "SELECT number FROM effect WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit";

  private static final String EFFECT_TOMBSTONES =
      """
      SELECT count(*) FROM (
        SELECT 1 FROM expired_effect WHERE until <= :now UNION ALL SELECT 1 FROM revision WHERE until <= :now
        LIMIT :limit) AS over
      """;

  /** Worded like the partial index, which holds no effect that went well. */
  private static final String OPEN_EFFECTS =
      """
      SELECT number FROM effect WHERE run = :run
        AND (state) NOT IN ('pending', 'done') AND (state) NOT IN ('failed', 'abandoned', 'undone')
      ORDER BY number
      """;

  private static final String REFERRING =
      """
      SELECT number FROM run WHERE number IN (
        SELECT run FROM effect WHERE number = :effect
        UNION ALL SELECT reused_by FROM effect WHERE number = :effect
        UNION ALL SELECT run FROM effect_reference WHERE effect = :effect)
      ORDER BY number LIMIT :limit
      """;

  private static final String USES =
      """
      SELECT flow, coalesce((SELECT keep FROM retention WHERE retention.flow = uses.flow
        AND retention.tenant IN (:tenant, '') ORDER BY retention.tenant DESC LIMIT 1), :default_keep), at_least
      FROM (SELECT flow, max(at_least) AS at_least FROM effect_use WHERE name = :name AND tenant IN (:tenant, '')
        GROUP BY flow) AS uses
      ORDER BY flow
      """;

  private static final String JOURNAL =
      """
      SELECT run, seq, op, at, entries, answers, lane FROM journal WHERE run = :run AND entries LIKE '%"claimed"%'
        AND seq < :most + (SELECT min(seq) FROM journal WHERE run = :run)
      ORDER BY seq
      """;

  private static final String FIRST_EVENT =
      """
      SELECT min(first) FROM (
        SELECT min(number) AS first FROM inbox UNION ALL SELECT min(number) FROM inbox_object) AS numbers
      """;

  /** Each part reads its index of times, and then the rows of all tenants that go in this time. */
  private static final String LEAVING =
      """
      SELECT kind, name, day, count(*) FROM (
        SELECT 0 AS kind, flow AS name, expires_at / 86400000 AS day FROM run
        WHERE tenant = :tenant AND expires_at >= :from AND expires_at < :to
        UNION ALL SELECT 1, name, expires_at / 86400000 FROM effect
        WHERE tenant = :tenant AND expires_at >= :from AND expires_at < :to
        UNION ALL SELECT 2, '', until / 86400000 FROM expired_run
        WHERE tenant = :tenant AND until >= :from AND until < :to
        UNION ALL SELECT 3, '', until / 86400000 FROM expired_effect
        WHERE tenant = :tenant AND until >= :from AND until < :to
        UNION ALL SELECT 4, source, ((number >> 20) + :events) / 86400000 FROM inbox
        WHERE tenant = :tenant AND number >= :first_event AND number < :last_event) AS leaving
      GROUP BY kind, name, day ORDER BY day, kind, name LIMIT :limit
      """;

  /** What holds a run is looked at again a day later. */
  private static final String LATE =
      """
      SELECT number FROM run
      WHERE tenant = :tenant AND expires_at > :now AND expires_at <= :soon
        AND expires_at > ended_at + coalesce((SELECT keep FROM retention WHERE retention.flow = run.flow
          AND retention.tenant IN (:tenant, '') ORDER BY retention.tenant DESC LIMIT 1), :default_keep)
      ORDER BY number LIMIT :limit
      """;

  /** Keeps the commits of one group short, even if every journal in it is long. */
  private static final int MOST_JOURNALS = 4;

  private final Prepared runs;
  private final Prepared journals;
  private final Prepared tombstones;
  private final Prepared next;
  private final Prepared keep;
  private final Prepared keptUntil;
  private final Prepared effects;
  private final Prepared effectTombstones;
  private final Prepared openEffects;
  private final Prepared effectKeptUntil;
  private final Prepared referring;
  private final Prepared uses;
  private final Prepared journal;
  private final Prepared firstEvent;
  private final Prepared oldestEvents;
  private final Prepared count;
  private final Prepared leaving;
  private final Prepared late;

  RetentionReader(Session session) throws SQLException {
    this.runs = session.prepare(RUNS);
    this.journals = session.prepare(JOURNALS);
    this.tombstones = session.prepare(TOMBSTONES);
    this.next = session.prepare(NEXT);
    this.keep =
        session.prepare(
            "SELECT keep FROM retention WHERE flow = :flow AND tenant IN (:tenant, '') ORDER BY tenant DESC LIMIT 1");
    this.keptUntil = session.prepare("SELECT expires_at FROM run WHERE number = :run");
    this.effects = session.prepare(EFFECTS);
    this.effectTombstones = session.prepare(EFFECT_TOMBSTONES);
    this.openEffects =
        session.prepare(OPEN_EFFECTS.replace("(state)", session.dialect().unusualState()));
    this.effectKeptUntil = session.prepare("SELECT expires_at FROM effect WHERE number = :effect");
    this.referring = session.prepare(REFERRING);
    this.uses = session.prepare(USES);
    this.journal = session.prepare(JOURNAL);
    this.firstEvent = session.prepare(FIRST_EVENT);
    this.oldestEvents =
        session.prepare(
            "SELECT "
                + InboxRows.COLUMNS
                + " FROM inbox WHERE number < :before ORDER BY number LIMIT :limit");
    this.count = session.prepare("SELECT value FROM meta WHERE name = :name");
    this.leaving = session.prepare(LEAVING);
    this.late = session.prepare(LATE);
  }

  Expiring expiring(Instant now, int limit) throws SQLException {
    List<Long> ended = runs.with(now).with(limit).all(row -> row.number(1));
    List<Long> left = journals.with(Math.min(limit, MOST_JOURNALS)).all(row -> row.number(1));
    List<Long> over = tombstones.with(now).with(limit).all(row -> row.number(1));
    List<Long> effectsOver = effects.with(now).with(limit).all(row -> row.number(1));
    Long remains = effectTombstones.with(now).with(limit).first(row -> row.number(1));
    return new Expiring(
        ended, left, over, effectsOver, remains == null ? 0 : Math.toIntExact(remains));
  }

  @Nullable Instant next() throws SQLException {
    Found first = next.first(row -> new Found(row.atOrNull(1)));
    return first == null ? null : first.at();
  }

  Duration keep(String tenant, String flow) throws SQLException {
    Long millis = keep.with(flow).with(tenant).first(row -> row.number(1));
    return millis == null ? Flow.DEFAULT_RETENTION : Duration.ofMillis(millis);
  }

  @Nullable Instant runKeptUntil(long run) throws SQLException {
    Found found = keptUntil.with(run).first(row -> new Found(row.atOrNull(1)));
    return found == null ? null : found.at();
  }

  List<Long> openEffects(long run) throws SQLException {
    return openEffects.with(run).all(row -> row.number(1));
  }

  @Nullable Instant effectKeptUntil(long effect) throws SQLException {
    Found found = effectKeptUntil.with(effect).first(row -> new Found(row.atOrNull(1)));
    return found == null ? null : found.at();
  }

  List<Long> referring(long effect, int limit) throws SQLException {
    return referring.with(effect).with(limit).all(row -> row.number(1));
  }

  List<EffectUse> uses(String tenant, String effect) throws SQLException {
    return uses.with(tenant)
        .with(Flow.DEFAULT_RETENTION.toMillis())
        .with(effect)
        .all(
            row ->
                new EffectUse(
                    row.text(1),
                    Duration.ofMillis(row.number(2)),
                    Duration.ofMillis(row.number(3))));
  }

  List<JournalRow> journals(List<Long> runs) throws SQLException {
    List<JournalRow> rows = new ArrayList<>();
    for (long run : runs) {
      rows.addAll(journal.with(run).with(RetentionRule.MOST_JOURNAL_ROWS).all(JournalRows::row));
    }
    return rows;
  }

  List<InboxEvent> oldestEvents(long before, int limit) throws SQLException {
    return oldestEvents.with(before).with(limit).all(InboxRows::row);
  }

  @Nullable Instant firstEvent() throws SQLException {
    Found first =
        firstEvent.first(
            row -> {
              Long number = row.numberOrNull(1);
              return new Found(number == null ? null : IdSource.timeOf(number));
            });
    return first == null ? null : first.at();
  }

  List<Leaving> leaving(String tenant, Instant from, Instant to, Duration events, int limit)
      throws SQLException {
    return leaving
        .with(tenant)
        .with(from)
        .with(to)
        .with(events.toMillis())
        .with(IdSource.firstAt(from.minus(events)))
        .with(IdSource.firstAt(to.minus(events)))
        .with(limit)
        .all(
            row ->
                new Leaving(
                    kind(row.number(1)),
                    row.text(2),
                    LocalDate.ofEpochDay(row.number(3)),
                    row.number(4)));
  }

  private static LeavingKind kind(long number) {
    return switch ((int) number) {
      case 0 -> LeavingKind.RUN;
      case 1 -> LeavingKind.EFFECT;
      case 2 -> LeavingKind.RUN_TOMBSTONE;
      case 3 -> LeavingKind.EFFECT_TOMBSTONE;
      default -> LeavingKind.EVENT;
    };
  }

  List<Long> late(String tenant, Instant now, int limit) throws SQLException {
    return late.with(tenant)
        .with(now)
        .with(now.plus(RetentionRule.LOOK_AGAIN))
        .with(Flow.DEFAULT_RETENTION.toMillis())
        .with(limit)
        .all(row -> row.number(1));
  }

  Counts counts() throws SQLException {
    return new Counts(
        count("runs_expired"),
        count("tombstones_ended"),
        count("effects_expired"),
        count("effect_tombstones_ended"));
  }

  private long count(String name) throws SQLException {
    Long value = count.with(name).first(row -> row.number(1));
    return value == null ? 0 : value;
  }

  private record Found(@Nullable Instant at) {}
}
