package dev.hapax.store.postgres;

import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.jdbc.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes plain groups together. Nearly all groups are plain. Each statement writes the rows of all
 * of them, and all statements go in one round trip, expecting everything to be as their runs
 * expect. If that is not so for a group, the group is named as one that deviates, and nothing may
 * be committed. Then the others are written again without the deviating groups, and those one by
 * one, as in every store.
 */
final class PlainGroups {
  private static final String INSERT_RUNS =
      """
      INSERT INTO run (number, id, tenant, flow, release, key, status, fingerprints, input, owner, due_at, timeout_at,
        created_at, parent, depth, started_by, search)
      SELECT * FROM :rows AS given
      ON CONFLICT DO NOTHING RETURNING number
      """;

  /** A new statement: the insert may have waited for the transaction that let the run expire. */
  private static final String EXPIRED_RUNS = "SELECT id FROM expired_run WHERE id = ANY (:rows)";

  /** In order, so that two nodes do not wait for each other. */
  private static final String LOCK_RUNS =
      "SELECT number, owner, cancel IS NOT NULL FROM run WHERE number = ANY (:rows) ORDER BY number FOR"
          + " UPDATE";

  /** A statement after the lock, so that it sees what was committed meanwhile. */
  private static final String LAST_SEQS =
      "SELECT owned, coalesce((SELECT max(seq) FROM journal WHERE run = owned), 0) FROM unnest(:rows)"
          + " AS owned";

  private static final String INSERT_EFFECTS =
      """
      INSERT INTO effect (number, tenant, name, key, additive_run, kind, guard, run, step, item, round, fingerprint,
        request, version, first_sent_at, hash, state, revision, attempts)
      SELECT *, 'pending', 1, 1 FROM :rows AS given
      ON CONFLICT DO NOTHING RETURNING number
      """;

  private static final String EXPIRED_EFFECTS =
      "SELECT hash FROM expired_effect WHERE hash = ANY (:rows)";

  private static final String INSERT_JOURNAL =
      """
      INSERT INTO journal (run, seq, op, at, entries, lane) SELECT * FROM :rows AS given
      ON CONFLICT DO NOTHING RETURNING op
      """;

  private static final String SETTLE =
      """
      UPDATE effect SET state = given.state, attempts = given.attempts, result = given.result,
        external_id = given.external_id, evidence = given.evidence
      FROM :rows
        AS given (number, run, revision, state, attempts, result, external_id, evidence)
      WHERE effect.number = given.number AND effect.run = given.run AND effect.revision = given.revision
      RETURNING effect.number
      """;

  private static final String ATTEMPT =
      """
      UPDATE effect SET attempts = given.attempts
      FROM :rows AS given (number, run, revision, attempts)
      WHERE effect.number = given.number AND effect.run = given.run AND effect.revision = given.revision
      RETURNING effect.number
      """;

  static final String RELEASE =
      """
      UPDATE run SET owner = NULL, status = given.status,
        due_at = CASE WHEN due_at IS NULL OR due_at > given.due THEN given.due ELSE due_at END
      FROM :rows AS given (number, status, due) WHERE run.number = given.number
      RETURNING run.number, due_at
      """;

  /** Ends no run that has yet to learn what a person decided. */
  static final String END =
      """
      UPDATE run SET status = given.status, output = given.output, error = given.error, ended_at = given.at,
        owner = NULL, due_at = NULL, expires_at = given.at + coalesce(
          (SELECT keep FROM retention WHERE retention.flow = run.flow AND retention.tenant IN (run.tenant, '')
            ORDER BY retention.tenant DESC LIMIT 1), given.default_keep)
      FROM :rows AS given (number, status, output, error, at, default_keep)
      WHERE run.number = given.number AND NOT EXISTS
        (SELECT 1 FROM wait WHERE wait.run = run.number AND kind = 'review' AND state = 'decided')
      RETURNING run.number, holds IS NOT NULL AS holding
      """;

  /** Runs after the rows that they wait for were written, and so locked. */
  private static final String WAITERS =
      "DELETE FROM waiter WHERE subject = ANY (:rows) RETURNING subject, run";

  private final Tables tables;
  private final List<Group> groups;
  private final PlainRows rows;

  private final Map<Long, HeadFound> found = new HashMap<>();
  private final Map<Long, TreeSet<Long>> waiters = new HashMap<>();
  private final Map<Long, Long> dueAt = new HashMap<>();
  private final Set<Long> endedRuns = new HashSet<>();
  private final Set<Long> holdingRuns = new HashSet<>();
  private boolean someExpired;

  private PlainGroups(Tables tables, List<Group> groups) throws SQLException {
    this.tables = tables;
    this.groups = groups;
    this.rows = PlainRows.of(groups);
  }

  /** The outcome of the groups. */
  sealed interface Outcome {
    /** All have landed, once the transaction is committed. */
    record Landed(List<GroupAnswer> answers) implements Outcome {}

    /** These groups deviate; the transaction must be rolled back. */
    record Deviate(Set<Group> groups) implements Outcome {}
  }

  private record HeadFound(long owner, boolean isCanceled, long seq) {}

  /**
   * @param script may begin with the caller's statements
   */
  static Outcome write(Script script, Tables tables, List<Group> groups) throws SQLException {
    return new PlainGroups(tables, groups).write(script);
  }

  private Outcome write(Script script) throws SQLException {
    Set<Group> deviating = rows.deviating;
    if (deviating.isEmpty()) {
      run(script);
    }
    deviating.addAll(rows.expected.values());
    groups.stream().filter(group -> !headHolds(group) || !endHolds(group)).forEach(deviating::add);
    if (someExpired || wakeOneAnother()) {
      deviating.addAll(groups);
    }
    return deviating.isEmpty() ? new Outcome.Landed(answers()) : new Outcome.Deviate(deviating);
  }

  // ---- results of the statements

  private void run(Script script) throws SQLException {
    Map<Long, Long> seqs = new HashMap<>();
    script
        .then(INSERT_RUNS, rows.runs, row -> wrote("run", row))
        .then(EXPIRED_RUNS, rows.ids, _ -> someExpired = true)
        .then(LOCK_RUNS, rows.heads, this::head)
        .then(LAST_SEQS, rows.heads, row -> seqs.put(row.getLong(1), row.getLong(2)))
        .then(INSERT_EFFECTS, rows.effects, row -> wrote("claim", row))
        .then(EXPIRED_EFFECTS, rows.hashes, _ -> someExpired = true)
        .then(INSERT_JOURNAL, rows.journal, row -> wrote("journal", row))
        .then(SETTLE, rows.settled, row -> wrote("effect", row))
        .then(ATTEMPT, rows.attempted, row -> wrote("effect", row))
        .then(RELEASE, rows.released, dueInto(dueAt))
        .then(END, rows.ended, this::ended)
        .then(WAITERS, rows.subjects, this::waiter)
        .run();
    found.replaceAll(
        (run, head) -> new HeadFound(head.owner(), head.isCanceled(), seqs.getOrDefault(run, -1L)));
  }

  private void wrote(String what, ResultSet row) throws SQLException {
    rows.expected.remove(new PlainRows.Written(what, row.getLong(1)));
  }

  private void head(ResultSet row) throws SQLException {
    long owner = row.getLong(2);
    if (!row.wasNull()) {
      found.put(row.getLong(1), new HeadFound(owner, row.getBoolean(3), 0));
    }
  }

  /** Notes when the released runs are due. */
  static Script.Listener dueInto(Map<Long, Long> dueAt) {
    return row -> {
      long due = row.getLong(2);
      if (!row.wasNull()) {
        dueAt.put(row.getLong(1), due);
      }
    };
  }

  private void ended(ResultSet row) throws SQLException {
    endedRuns.add(row.getLong(1));
    if (row.getBoolean(2)) {
      holdingRuns.add(row.getLong(1));
    }
  }

  private void waiter(ResultSet row) throws SQLException {
    waiters.computeIfAbsent(row.getLong(1), _ -> new TreeSet<>()).add(row.getLong(2));
  }

  private boolean headHolds(Group group) {
    if (!(group.head() instanceof Head.Owned head)) {
      return true;
    }
    HeadFound now = found.get(head.run());
    int before = rows.entriesBefore.getOrDefault(head, 0);
    return now != null
        && now.owner() == head.owner()
        && !now.isCanceled()
        && now.seq() + before == head.seq();
  }

  private boolean endHolds(Group group) {
    return group.changes().stream().noneMatch(Change.End.class::isInstance)
        || endedRuns.contains(PlainRows.runOf(group));
  }

  /** If they do, their order matters. */
  private boolean wakeOneAnother() {
    return waiters.values().stream().flatMap(Set::stream).anyMatch(rows.rowsBefore::containsKey);
  }

  // ---- answers

  private List<GroupAnswer> answers() throws SQLException {
    List<GroupAnswer> answers = new ArrayList<>(groups.size());
    for (Group group : groups) {
      answers.add(new GroupAnswer.Landed(group.grantedAsAsked(), wake(group)));
    }
    return answers;
  }

  private List<Long> wake(Group group) throws SQLException {
    List<Long> sleepers = new ArrayList<>(0);
    boolean leavesLines = false;
    long run = PlainRows.runOf(group);
    for (Change change : group.changes()) {
      switch (change) {
        case Change.Effect effect -> sleepers.addAll(waitersOf(effect.effect()));
        case Change.End _ -> {
          sleepers.addAll(waitersOf(run));
          leavesLines = holdingRuns.contains(run);
        }
        default -> {}
      }
    }
    List<Long> woken =
        sleepers.isEmpty() && !leavesLines
            ? new ArrayList<>(0)
            : tables.wake(group, run, sleepers, leavesLines);
    if (leavesAndIsDue(group, dueAt)) {
      woken.add(run);
    }
    return woken;
  }

  /** Whether the group releases its run, and the run was woken meanwhile. */
  static boolean leavesAndIsDue(Group group, Map<Long, Long> dueAt) {
    Long due = dueAt.get(PlainRows.runOf(group));
    return due != null
        && due <= group.at().toEpochMilli()
        && group.changes().stream().anyMatch(Change.Release.class::isInstance);
  }

  private Set<Long> waitersOf(long subject) {
    TreeSet<Long> runs = waiters.get(subject);
    return runs == null ? Set.of() : runs;
  }
}
