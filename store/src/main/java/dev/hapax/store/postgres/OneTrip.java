package dev.hapax.store.postgres;

import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes and commits plain groups in one round trip, expecting everything to be as their runs
 * expect. Any deviation makes a statement fail, so that the COMMIT after it does nothing. Then
 * {@link PlainGroups} writes them and finds the groups that deviate. An insert without ON CONFLICT
 * fails by itself; all other checks divide by zero.
 */
final class OneTrip {
  private static final Logger log = LoggerFactory.getLogger(OneTrip.class);

  private static final String INSERT_RUNS =
      """
      INSERT INTO run (number, id, tenant, flow, release, key, status, fingerprints, input, owner, due_at, timeout_at,
        created_at, parent, depth, started_by, search)
      SELECT * FROM :rows AS given
      """;

  /**
   * The last known journal row exists, and the insert of the next one fails if that exists too. In
   * order, so that two nodes do not wait for each other.
   *
   * <p>The owner is compared in a way that no index serves. If statistics were gathered while no
   * run had an owner, the index by owner looks like the cheapest way to one row, and each row of
   * the batch would read all runs of this node.
   */
  static final String LOCK_HEADS =
      """
      SELECT 1 / cast((SELECT count(*) FROM (
        SELECT 1 FROM :rows AS given (number, owner, seq) JOIN run ON run.number = given.number
        WHERE run.owner IS NOT DISTINCT FROM given.owner AND run.cancel IS NULL AND given.seq = coalesce(
          (SELECT journal.seq FROM journal WHERE journal.run = given.number AND journal.seq = given.seq), 0)
        ORDER BY run.number FOR UPDATE OF run) AS mine) = :count AS int)
      """;

  private static final String INSERT_EFFECTS =
      """
      INSERT INTO effect (number, tenant, name, key, additive_run, kind, guard, run, step, item, round, fingerprint,
        request, version, first_sent_at, hash, state, revision, attempts)
      SELECT *, 'pending', 1, 1 FROM :rows AS given
      """;

  private static final String INSERT_JOURNAL =
      "INSERT INTO journal (run, seq, op, at, entries, lane) SELECT * FROM :rows AS given";

  private static final String SETTLE =
      """
      WITH written AS (
        UPDATE effect SET state = given.state, attempts = given.attempts, result = given.result,
          external_id = given.external_id, evidence = given.evidence
        FROM :rows AS given (number, run, revision, state, attempts, result, external_id, evidence)
        WHERE effect.number = given.number AND effect.run = given.run AND effect.revision = given.revision
        RETURNING 1)
      SELECT 1 / cast((SELECT count(*) FROM written) = :count AS int)
      """;

  private static final String ATTEMPT =
      """
      WITH written AS (
        UPDATE effect SET attempts = given.attempts
        FROM :rows AS given (number, run, revision, attempts)
        WHERE effect.number = given.number AND effect.run = given.run AND effect.revision = given.revision
        RETURNING 1)
      SELECT 1 / cast((SELECT count(*) FROM written) = :count AS int)
      """;

  /** A run that holds slots or locks lets the next runs in, which takes more than one statement. */
  private static final String END =
      "WITH ended AS ("
          + PlainGroups.END
          + ") SELECT 1 / cast(count(*) = :count AND bool_and(NOT holding) AS int) FROM ended";

  /** The number of failures in a row after which the pause stops growing: 64 batches. */
  private static final int MOST_MISSES = 6;

  /**
   * The lease is ours until the transaction ends, no run waits for the written rows, and none of
   * them had expired. In a new statement: the ones before may have waited for a transaction that
   * wrote such a row. The fence is in the last statement and not in the first, which saves one; a
   * takeover in between waits for us, or we for it, and then this finds no lease.
   */
  private final String nobodyElse;

  private int misses;
  private int pause;

  OneTrip(PostgresLease lease) {
    this.nobodyElse =
        """
        SELECT 1 / cast(count(*) = 1
          AND NOT EXISTS (SELECT 1 FROM waiter WHERE subject = ANY (:rows))
          AND NOT EXISTS (SELECT 1 FROM expired_run WHERE id = ANY (:rows))
          AND NOT EXISTS (SELECT 1 FROM expired_effect WHERE hash = ANY (:rows)) AS int)
        FROM (%s) AS mine
        """
            .formatted(lease.fence());
  }

  /** The answers of the groups. */
  record Outcome(List<GroupAnswer> answers, @Nullable SQLWarning warning) {}

  /** Returns false for a while after a failure: such runs often fail here. */
  boolean isWorthTrying() {
    if (pause > 0) {
      pause--;
      return false;
    }
    return true;
  }

  void failed() {
    misses = Math.min(misses + 1, MOST_MISSES);
    pause = 1 << misses;
  }

  /**
   * @return null if it is known beforehand that something deviates; then nothing was sent
   * @throws SQLException also if something deviates; then nothing was written
   */
  @Nullable Outcome write(Script script, List<Group> groups) throws SQLException {
    PlainRows rows = gather(groups);
    if (rows == null || !rows.followOneAnother()) {
      return null;
    }
    Map<Long, Long> dueAt = new HashMap<>();
    SQLWarning warning =
        script
            .then(INSERT_RUNS, rows.runs)
            .then(LOCK_HEADS, rows.firstHeads)
            .then(INSERT_EFFECTS, rows.effects)
            .then(INSERT_JOURNAL, rows.journal)
            .then(SETTLE, rows.settled)
            .then(ATTEMPT, rows.attempted)
            .then(PlainGroups.RELEASE, rows.released, PlainGroups.dueInto(dueAt))
            .then(END, rows.ended)
            .thenOf(nobodyElse, rows.subjects, rows.ids, rows.hashes)
            .thenCommit()
            .run();
    misses = 0;
    return new Outcome(answers(groups, dueAt), warning);
  }

  /** Returns null if a group cannot even be turned into rows; the closer look finds which one. */
  private static @Nullable PlainRows gather(List<Group> groups) throws SQLException {
    try {
      return PlainRows.of(groups);
    } catch (RuntimeException e) {
      log.debug("a group cannot be written with others", e);
      return null;
    }
  }

  private static List<GroupAnswer> answers(List<Group> groups, Map<Long, Long> dueAt) {
    List<GroupAnswer> answers = new ArrayList<>(groups.size());
    for (Group group : groups) {
      List<Long> woken =
          PlainGroups.leavesAndIsDue(group, dueAt) ? List.of(PlainRows.runOf(group)) : List.of();
      answers.add(new GroupAnswer.Landed(group.grantedAsAsked(), woken));
    }
    return answers;
  }
}
