package dev.hapax.store.jdbc;

import dev.hapax.flow.Flow;
import dev.hapax.json.Json;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.Succession;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.store.Change;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The writer's statements for retention. */
final class RetentionRows {
  private static final String KEEP =
      """
      INSERT INTO retention (flow, tenant, keep) VALUES (:flow, :tenant, :keep)
      ON CONFLICT (flow, tenant) DO UPDATE SET keep = excluded.keep WHERE retention.keep <> excluded.keep
      """;

  private static final String ENDED =
      """
      SELECT number, ended_at, expires_at,
        coalesce((SELECT keep FROM retention WHERE retention.flow = run.flow AND retention.tenant IN (run.tenant, '')
          ORDER BY retention.tenant DESC LIMIT 1), :default_keep),
        parent IS NOT NULL AND EXISTS (SELECT 1 FROM run AS caller WHERE caller.number = run.parent)
      FROM run WHERE number IN (%s) AND expires_at <= :at
      ORDER BY number
      """;

  /** Few rows: the partial index holds no effect that went well. */
  private static final String OWNERS_OF_OPEN_EFFECTS =
      """
      SELECT DISTINCT run FROM effect
      WHERE (state) NOT IN ('pending', 'done') AND (state) NOT IN ('failed', 'abandoned', 'undone')
      """;

  private static final String BURY =
      """
      INSERT INTO expired_run (number, id, tenant, status, ended_at, until, journal_left)
      SELECT number, id, tenant, status, ended_at, :until,
        CASE WHEN EXISTS (SELECT 1 FROM journal WHERE journal.run = number AND seq > :most) THEN 1 ELSE 0 END
      FROM run WHERE number IN (%s)
      """;

  private static final String END_TOMBSTONE =
      """
      DELETE FROM expired_run WHERE number = :run AND until <= :at AND journal_left = 0 AND NOT EXISTS (
        SELECT 1 FROM succession WHERE predecessor = :run AND (
          EXISTS (SELECT 1 FROM run WHERE run.number = succession.run)
          OR EXISTS (SELECT 1 FROM expired_run AS later WHERE later.number = succession.run)))
      RETURNING id
      """;

  private static final String FORGET =
      """
      INSERT INTO forgotten (run, at, actor, reason) VALUES (:run, :at, :actor, :reason) ON CONFLICT DO NOTHING
      """;

  private static final String SUCCEED =
      """
      INSERT INTO succession (run, predecessor, renews, first_run, generation)
      SELECT :run, :predecessor, :renews, coalesce(earlier.first_run, :predecessor), coalesce(earlier.generation, 0) + 1
      FROM (SELECT 1 AS one) AS always LEFT JOIN succession AS earlier ON earlier.run = :predecessor
      """;

  private static final String CLEAR_JOURNAL =
      """
      DELETE FROM journal WHERE run = :run AND seq < :most + (SELECT min(seq) FROM journal WHERE run = :run)
        AND EXISTS (SELECT 1 FROM expired_run WHERE number = :run)
      """;

  private static final String JOURNAL_CLEARED =
      """
      UPDATE expired_run SET journal_left = 0
      WHERE number = :run AND NOT EXISTS (SELECT 1 FROM journal WHERE journal.run = :run)
      """;

  private static final Instant EVER = Instant.parse("9999-01-01T00:00:00Z");

  private final KeyIndex runKeys;
  private final ResourceRows resources;
  private final SearchRows search;
  private final RunLock lock;
  private final Prepared keep;
  private final Prepared ended;
  private final Prepared lastSeq;
  private final Prepared ownersOfOpenEffects;
  private final Prepared bury;
  private final Prepared deleteRuns;
  private final Prepared deleteJournals;
  private final Prepared deleteDuplicates;
  private final Prepared deleteLaterAnswers;
  private final Prepared deleteWaits;
  private final Prepared stay;
  private final Prepared endTombstone;
  private final Prepared tombstoneStays;
  private final Prepared removeForgotten;
  private final Prepared removeSuccession;
  private final Prepared clearJournal;
  private final Prepared journalCleared;
  private final Prepared forget;
  private final Prepared succeed;
  private final Prepared count;

  RetentionRows(Session session, KeyIndex runKeys, ResourceRows resources, SearchRows search)
      throws SQLException {
    this.search = search;
    this.runKeys = runKeys;
    this.resources = resources;
    this.lock = new RunLock(session);
    this.keep = session.prepare(KEEP);
    this.ended = session.prepare(ENDED, ":runs");
    this.lastSeq = session.prepare("SELECT coalesce(max(seq), 0) FROM journal WHERE run = :run");
    this.ownersOfOpenEffects =
        session.prepare(
            OWNERS_OF_OPEN_EFFECTS.replace("(state)", session.dialect().unusualState()));
    this.bury = session.prepare(BURY, ":runs");
    this.deleteRuns = session.prepare("DELETE FROM run WHERE number IN (%s)", ":runs");
    this.deleteJournals =
        session.prepare("DELETE FROM journal WHERE run IN (%s) AND seq <= :most", ":runs");
    this.deleteDuplicates = session.prepare("DELETE FROM duplicate WHERE run IN (%s)", ":runs");
    this.deleteLaterAnswers =
        session.prepare(
            "DELETE FROM later_answer WHERE wait IN (SELECT number FROM wait WHERE run IN (%s))",
            ":runs");
    this.deleteWaits = session.prepare("DELETE FROM wait WHERE run IN (%s)", ":runs");
    this.stay = session.prepare("UPDATE run SET expires_at = :until WHERE number = :run");
    this.endTombstone = session.prepare(END_TOMBSTONE);
    this.tombstoneStays =
        session.prepare(
            "UPDATE expired_run SET until = :until WHERE number = :run AND until <= :at");
    this.removeForgotten = session.prepare("DELETE FROM forgotten WHERE run = :run");
    this.removeSuccession =
        session.prepare("DELETE FROM succession WHERE predecessor = :run OR run = :run");
    this.clearJournal = session.prepare(CLEAR_JOURNAL);
    this.journalCleared = session.prepare(JOURNAL_CLEARED);
    this.forget = session.prepare(FORGET);
    this.succeed = session.prepare(SUCCEED);
    this.count = session.prepare("UPDATE meta SET value = value + :more WHERE name = :name");
  }

  void keep(Change.KeepRuns change) throws SQLException {
    keep.with(change.flow()).with(change.tenant()).with(change.keep().toMillis()).update();
  }

  void forget(Change.ForgetKey change, Instant at) throws SQLException {
    forget.with(change.run()).with(at).with(change.actor()).with(change.reason()).update();
  }

  /** Notes the run whose key this run takes over; false if it is gone or still has its key. */
  boolean succeed(NewRun run, RunRows runs) throws SQLException {
    Succession succession = run.succession();
    if (succession == null) {
      return true;
    }
    KeyHolder predecessor = runs.holder(Key.of(succession.predecessor()));
    if (predecessor == null || !predecessor.mayBeSucceeded()) {
      return false;
    }
    succeed
        .with(run.number())
        .with(predecessor.number())
        .with(succession.renews() ? 1 : 0)
        .update();
    return true;
  }

  void expire(Change.ExpireRuns change, Instant at) throws SQLException {
    Set<Long> held = new HashSet<>(ownersOfOpenEffects.all(row -> row.number(1)));
    for (long run : change.runs()) {
      lock.take(run);
    }
    List<Long> going = new ArrayList<>();
    // A run that is not found is gone, continues, or stays for longer.
    for (Ended found : ended(change.runs(), change.isEarly() ? EVER : at)) {
      boolean isHeld = found.hasParent() || held.contains(found.run());
      Instant stays =
          change.isEarly()
              ? (isHeld ? found.expiresAt() : null)
              : RetentionRule.runStaysUntil(
                  at, found.endedAt(), found.expiresAt(), found.keep(), isHeld);
      if (stays != null) {
        stay.with(stays).with(found.run()).update();
      } else if (change.exported() == null || change.allows(found.run(), lastSeq(found.run()))) {
        going.add(found.run());
      }
    }
    if (!going.isEmpty()) {
      letGo(going, change.tombstonesUntil());
    }
    count("runs_expired", going.size());
  }

  private long lastSeq(long run) throws SQLException {
    Long last = lastSeq.with(run).first(row -> row.number(1));
    return last == null ? 0 : last;
  }

  private List<Ended> ended(List<Long> runs, Instant at) throws SQLException {
    return ended
        .with(Flow.DEFAULT_RETENTION.toMillis())
        .with(Json.write(runs))
        .with(at)
        .all(
            row ->
                new Ended(
                    row.number(1),
                    row.at(2),
                    row.at(3),
                    Duration.ofMillis(row.number(4)),
                    row.flag(5)));
  }

  /** Deletes all at once: a statement per run and table costs twice as much. */
  private void letGo(List<Long> going, Instant tombstonesUntil) throws SQLException {
    String runs = Json.write(going);
    bury.with(tombstonesUntil).with(RetentionRule.MOST_JOURNAL_ROWS).with(runs).update();
    deleteJournals.with(runs).with(RetentionRule.MOST_JOURNAL_ROWS).update();
    deleteDuplicates.with(runs).update();
    deleteLaterAnswers.with(runs).update();
    deleteWaits.with(runs).update();
    search.removeRuns(going);
    deleteRuns.with(runs).update();
    for (long run : going) {
      resources.drop(run);
    }
  }

  void clearJournals(List<Long> runs) throws SQLException {
    for (long run : runs) {
      clearJournal.with(run).with(RetentionRule.MOST_JOURNAL_ROWS).update();
      journalCleared.with(run).update();
    }
  }

  void endTombstones(List<Long> runs, Instant at) throws SQLException {
    List<Key> ids = new ArrayList<>();
    for (long run : runs) {
      Key id = endTombstone.with(run).with(at).first(row -> Key.of(row.bytes(1)));
      if (id == null) {
        tombstoneStays.with(at.plus(RetentionRule.LOOK_AGAIN)).with(run).with(at).update();
        continue;
      }
      ids.add(id);
      removeForgotten.with(run).update();
      removeSuccession.with(run).update();
    }
    runKeys.remove(ids);
    count("tombstones_ended", ids.size());
  }

  private void count(String what, int more) throws SQLException {
    if (more > 0) {
      count.with((long) more).with(what).update();
    }
  }

  private record Ended(
      long run, Instant endedAt, Instant expiresAt, Duration keep, boolean hasParent) {}
}
