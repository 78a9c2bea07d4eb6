package dev.hapax.store.postgres;

import dev.hapax.flow.Flow;
import dev.hapax.json.Json;
import dev.hapax.run.EffectClaim;
import dev.hapax.run.Fingerprint;
import dev.hapax.run.NewRun;
import dev.hapax.run.ResourceRef;
import dev.hapax.run.RunId;
import dev.hapax.run.RunStatus;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Groups of the kind that nearly all are, written together: each statement writes the rows of all
 * of them, and all statements are one round trip. They are written in the hope that everything is
 * as their runs expect; a group for which it is not so is named as one that deviates, and then
 * nothing may be committed: without those the others are written anew, and those one by one, as
 * every store does.
 */
final class PlainGroups {
  private static final String INSERT_RUNS =
      """
      INSERT INTO run (number, id, tenant, flow, release, key, status, fingerprints, input, owner, due_at, timeout_at,
        created_at, parent, depth)
      SELECT * FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING RETURNING number
      """;

  /** In a new statement: the insert may have waited for whoever let the run expire. */
  private static final String EXPIRED_RUNS = "SELECT id FROM expired_run WHERE id = ANY (?)";

  /** In order, so that two nodes do not wait for one another. */
  private static final String LOCK_RUNS =
      "SELECT number, owner, cancel IS NOT NULL FROM run WHERE number = ANY (?) ORDER BY number FOR UPDATE";

  /** A statement after the lock, so that what was committed meanwhile is seen. */
  private static final String LAST_SEQS =
      "SELECT owned, coalesce((SELECT max(seq) FROM journal WHERE run = owned), 0) FROM unnest(?) AS owned";

  private static final String INSERT_EFFECTS =
      """
      INSERT INTO effect (number, tenant, name, key, additive_run, kind, guard, run, step, item, round, fingerprint,
        request, version, first_sent_at, hash, state, revision, attempts)
      SELECT *, 'pending', 1, 1 FROM unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING RETURNING number
      """;

  private static final String EXPIRED_EFFECTS =
      "SELECT hash FROM expired_effect WHERE hash = ANY (?)";

  private static final String INSERT_JOURNAL =
      """
      INSERT INTO journal (run, seq, op, at, entries, lane) SELECT * FROM unnest(?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING RETURNING op
      """;

  private static final String SETTLE =
      """
      UPDATE effect SET state = given.state, attempts = given.attempts, result = given.result,
        external_id = given.external_id, evidence = given.evidence
      FROM unnest(?, ?, ?, ?, ?, ?, ?, ?)
        AS given (number, run, revision, state, attempts, result, external_id, evidence)
      WHERE effect.number = given.number AND effect.run = given.run AND effect.revision = given.revision
      RETURNING effect.number
      """;

  private static final String ATTEMPT =
      """
      UPDATE effect SET attempts = given.attempts
      FROM unnest(?, ?, ?, ?) AS given (number, run, revision, attempts)
      WHERE effect.number = given.number AND effect.run = given.run AND effect.revision = given.revision
      RETURNING effect.number
      """;

  private static final String RELEASE =
      """
      UPDATE run SET owner = NULL, status = given.status,
        due_at = CASE WHEN due_at IS NULL OR due_at > given.due THEN given.due ELSE due_at END
      FROM unnest(?, ?, ?) AS given (number, status, due) WHERE run.number = given.number
      RETURNING run.number, due_at
      """;

  private static final String END =
      """
      UPDATE run SET status = given.status, output = given.output, error = given.error, ended_at = given.at,
        owner = NULL, due_at = NULL, expires_at = given.at + coalesce(
          (SELECT keep FROM retention WHERE retention.flow = run.flow), given.default_keep)
      FROM unnest(?, ?, ?, ?, ?, ?) AS given (number, status, output, error, at, default_keep)
      WHERE run.number = given.number
      RETURNING run.number, holds IS NOT NULL
      """;

  /** After the rows that they wait for were written, and so locked. */
  private static final String WAITERS =
      "DELETE FROM waiter WHERE subject = ANY (?) RETURNING subject, run";

  private final Tables tables;
  private final List<Group> groups;
  private final Set<Group> deviating = new LinkedHashSet<>();

  private final Rows runs = new Rows("nbttnttbtnnnnnn");
  private final Rows ids = new Rows("b");
  private final Rows heads = new Rows("n");
  private final Rows effects = new Rows("ntttbttnttnbtnnb");
  private final Rows hashes = new Rows("b");
  private final Rows journal = new Rows("nnnntt");
  private final Rows settled = new Rows("nnntnttt");
  private final Rows attempted = new Rows("nnnn");
  private final Rows released = new Rows("ntn");
  private final Rows ended = new Rows("ntttnn");
  private final Rows subjects = new Rows("n");

  /** What the statements must name; whoever is left then did not find what it expects. */
  private final Map<Written, Group> expected = new HashMap<>();

  private final Map<Long, Integer> rowsBefore = new HashMap<>();
  private final Map<Head.Owned, Integer> entriesBefore = new HashMap<>();
  private final Map<Long, HeadFound> found = new HashMap<>();
  private final Map<Long, TreeSet<Long>> waiters = new HashMap<>();
  private final Map<Long, Long> dueAt = new HashMap<>();
  private final Set<Long> holdingRuns = new HashSet<>();
  private final Set<Long> effectsWritten = new HashSet<>();
  private final Set<Long> runsLeft = new HashSet<>();
  private boolean someExpired;

  private PlainGroups(Tables tables, List<Group> groups) {
    this.tables = tables;
    this.groups = groups;
  }

  /** What became of them. */
  sealed interface Outcome {
    /** All have landed, if the transaction is committed. */
    record Landed(List<GroupAnswer> answers) implements Outcome {}

    /** Something is not as these expect; the transaction is to be rolled back. */
    record Deviate(Set<Group> groups) implements Outcome {}
  }

  /** A row that a statement names as written. */
  private record Written(String what, long number) {}

  private record HeadFound(long owner, boolean isCanceled, long seq) {}

  /** Whether a group is of this kind, whatever it finds. */
  static boolean isPlain(Group group) {
    if (group.entries() == null || refers(group.entries())) {
      return false;
    }
    boolean head =
        switch (group.head()) {
          case Head.Insert(var run, var _) ->
              run.gate() == null && run.succession() == null && !refers(run.input());
          case Head.Owned _ -> true;
          default -> false;
        };
    return head && group.changes().stream().allMatch(PlainGroups::isPlain);
  }

  private static boolean isPlain(Change change) {
    return switch (change) {
      case Change.Claim(var claim) -> !refers(claim.request());
      case Change.Effect effect -> effect.origin() == null && !refers(effect.result());
      case Change.Attempt _, Change.Release _, Change.End _ -> true;
      default -> false;
    };
  }

  private static boolean refers(@Nullable String text) {
    return !ResourceRef.in(text).isEmpty();
  }

  /**
   * @param script may begin with statements of its caller
   */
  static Outcome write(Script script, Tables tables, List<Group> groups) throws SQLException {
    return new PlainGroups(tables, groups).write(script);
  }

  private Outcome write(Script script) throws SQLException {
    for (Group group : groups) {
      gather(group);
    }
    if (deviating.isEmpty()) {
      run(script);
    }
    deviating.addAll(expected.values());
    groups.stream().filter(group -> !headHolds(group)).forEach(deviating::add);
    if (someExpired || wakeOneAnother()) {
      deviating.addAll(groups);
    }
    return deviating.isEmpty() ? new Outcome.Landed(answers()) : new Outcome.Deviate(deviating);
  }

  // ---- what is to be written

  private void gather(Group group) throws SQLException {
    long run =
        switch (group.head()) {
          case Head.Insert(var fresh, var owner) -> insert(group, fresh, owner);
          case Head.Owned head -> goOn(head);
          default -> throw new IllegalArgumentException("not plain: " + group.head());
        };
    if (runsLeft.contains(run)) {
      deviating.add(group);
      return;
    }
    int before = rowsBefore.merge(run, 1, Integer::sum) - 1;
    long seq = group.head() instanceof Head.Owned(long _, long _, long last) ? last + 1 : 1;
    if (group.head() instanceof Head.Owned head) {
      entriesBefore.put(head, before);
    }
    journal.add(run, seq, group.op(), group.at(), group.entries(), group.lane());
    expected.put(new Written("journal", group.op()), group);
    for (Change change : group.changes()) {
      gather(group, run, change);
    }
  }

  private long insert(Group group, NewRun run, @Nullable Long owner) throws SQLException {
    RunStatus status = owner == null ? RunStatus.QUEUED : RunStatus.RUNNING;
    runs.add(
        run.number(),
        run.id().bytes(),
        run.tenant(),
        run.flow(),
        run.release(),
        run.key(),
        status.word(),
        run.fingerprint().bytes(),
        run.input(),
        owner,
        owner == null ? group.at() : null,
        run.timeoutAt(),
        group.at(),
        run.parent(),
        run.depth());
    ids.add((Object) run.id().bytes());
    expected.put(new Written("run", run.number()), group);
    return run.number();
  }

  private long goOn(Head.Owned head) throws SQLException {
    heads.add(head.run());
    return head.run();
  }

  private void gather(Group group, long run, Change change) throws SQLException {
    switch (change) {
      case Change.Claim(var claim) -> claim(group, claim);
      case Change.Effect effect -> {
        settled.add(
            effect.effect(),
            run,
            effect.revision(),
            effect.state().word(),
            effect.attempt(),
            effect.result(),
            effect.externalId(),
            effect.evidence());
        expectOnce(group, effect.effect());
        if (!effect.state().isOpen()) {
          subjects.add(effect.effect());
        }
      }
      case Change.Attempt(long effect, int revision, int attempt, boolean _) -> {
        attempted.add(effect, run, revision, attempt);
        expectOnce(group, effect);
      }
      case Change.Release(var status, var dueAt) -> {
        released.add(run, status.word(), dueAt);
        runsLeft.add(run);
      }
      case Change.End(var status, var output, var error) -> {
        ended.add(
            run,
            status.word(),
            output,
            error == null ? null : Json.write(error),
            group.at(),
            Flow.DEFAULT_RETENTION.toMillis());
        runsLeft.add(run);
        subjects.add(run);
      }
      default -> throw new IllegalArgumentException("not plain: " + change);
    }
  }

  private void claim(Group group, EffectClaim claim) throws SQLException {
    RunId additiveRun = claim.key().additiveRun();
    Fingerprint fingerprint = claim.fingerprint();
    byte[] hash = claim.key().hash();
    effects.add(
        claim.number(),
        claim.key().tenant(),
        claim.key().name(),
        claim.key().key(),
        additiveRun == null ? null : additiveRun.bytes(),
        claim.kind().name().toLowerCase(Locale.ROOT),
        claim.guard(),
        claim.run(),
        claim.step().name(),
        claim.step().item(),
        claim.step().round(),
        fingerprint == null ? null : fingerprint.bytes(),
        claim.request(),
        claim.version(),
        claim.at(),
        hash);
    hashes.add((Object) hash);
    expected.put(new Written("claim", claim.number()), group);
  }

  /** Of two writes of a row by one statement only one would count. */
  private void expectOnce(Group group, long effect) {
    expected.put(new Written("effect", effect), group);
    if (!effectsWritten.add(effect)) {
      deviating.add(group);
    }
  }

  // ---- what the statements say

  private void run(Script script) throws SQLException {
    Map<Long, Long> seqs = new HashMap<>();
    script
        .then(INSERT_RUNS, runs, row -> wrote("run", row))
        .then(EXPIRED_RUNS, ids, _ -> someExpired = true)
        .then(LOCK_RUNS, heads, this::head)
        .then(LAST_SEQS, heads, row -> seqs.put(row.getLong(1), row.getLong(2)))
        .then(INSERT_EFFECTS, effects, row -> wrote("claim", row))
        .then(EXPIRED_EFFECTS, hashes, _ -> someExpired = true)
        .then(INSERT_JOURNAL, journal, row -> wrote("journal", row))
        .then(SETTLE, settled, row -> wrote("effect", row))
        .then(ATTEMPT, attempted, row -> wrote("effect", row))
        .then(RELEASE, released, this::released)
        .then(END, ended, this::ended)
        .then(WAITERS, subjects, this::waiter)
        .run();
    found.replaceAll(
        (run, head) -> new HeadFound(head.owner(), head.isCanceled(), seqs.getOrDefault(run, -1L)));
  }

  private void wrote(String what, ResultSet row) throws SQLException {
    expected.remove(new Written(what, row.getLong(1)));
  }

  private void head(ResultSet row) throws SQLException {
    long owner = row.getLong(2);
    if (!row.wasNull()) {
      found.put(row.getLong(1), new HeadFound(owner, row.getBoolean(3), 0));
    }
  }

  private void released(ResultSet row) throws SQLException {
    long due = row.getLong(2);
    if (!row.wasNull()) {
      dueAt.put(row.getLong(1), due);
    }
  }

  private void ended(ResultSet row) throws SQLException {
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
    int before = entriesBefore.getOrDefault(head, 0);
    return now != null
        && now.owner() == head.owner()
        && !now.isCanceled()
        && now.seq() + before == head.seq();
  }

  /** Then it matters who comes first. */
  private boolean wakeOneAnother() {
    return waiters.values().stream().flatMap(Set::stream).anyMatch(rowsBefore::containsKey);
  }

  // ---- what is answered

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
    long run = runOf(group);
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
    boolean leaves = group.changes().stream().anyMatch(Change.Release.class::isInstance);
    Long due = dueAt.get(run);
    if (leaves && due != null && due <= group.at().toEpochMilli()) {
      woken.add(run);
    }
    return woken;
  }

  private static long runOf(Group group) {
    return switch (group.head()) {
      case Head.Insert(var run, var _) -> run.number();
      case Head.Owned(long run, long _, long _) -> run;
      default -> throw new IllegalArgumentException("not plain: " + group.head());
    };
  }

  private Set<Long> waitersOf(long subject) {
    TreeSet<Long> runs = waiters.get(subject);
    return runs == null ? Set.of() : runs;
  }
}
