package dev.hapax.store.jdbc;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Flow;
import dev.hapax.flow.Line;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.json.Json;
import dev.hapax.run.Gate;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.StoppedNotes;
import dev.hapax.run.retention.RetentionRule;
import dev.hapax.store.Change;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The writer's statements on {@code run} and {@code duplicate}. */
final class RunRows {
  private static final long HOLDING = 1;

  /** One statement also checks whether the id is taken. */
  private static final String COLUMNS =
      """
      number, id, tenant, flow, release, key, status, fingerprints, input, owner, due_at, timeout_at, created_at,
        parent, depth, gate, holds, started_by, search\
      """;

  private static final String VALUES =
      """
      :number, :id, :tenant, :flow, :release, :key, :status, :fingerprint, :input, :owner, :due, :timeout, :at,
        :parent, :depth, :gate, :holds, :started_by, :search\
      """;

  private static final String FIND_ID =
      """
      SELECT id FROM run WHERE number = :number
      UNION ALL SELECT id FROM expired_run WHERE number = :number
      """;

  private static final String STATE =
      """
      SELECT owner, cancel IS NOT NULL, ended_at IS NOT NULL,
        coalesce((SELECT max(seq) FROM journal WHERE journal.run = :run), 0)
      FROM run WHERE number = :run
      """;

  /** A run leaves compensation only by its end. */
  private static final String TAKE =
      """
      UPDATE run SET owner = :owner, due_at = NULL,
        status = CASE status WHEN 'compensating' THEN status ELSE 'running' END
      WHERE number = :run
      """;

  /**
   * Keeps the earlier of the stored and the given time: a run that was woken while it left is due
   * at once.
   */
  private static final String RELEASE =
      """
      UPDATE run SET owner = NULL, status = :status, due_at = CASE WHEN due_at IS NULL OR due_at > :due THEN :due ELSE due_at END
      WHERE number = :run
      RETURNING due_at
      """;

  /** Ends no run that has yet to learn what a person decided. */
  private static final String END =
      """
      UPDATE run SET status = :status, output = :output, error = :error, ended_at = :at, owner = NULL, due_at = NULL,
        expires_at = :at + coalesce((SELECT keep FROM retention WHERE retention.flow = run.flow
          AND retention.tenant IN (run.tenant, '') ORDER BY retention.tenant DESC LIMIT 1), :default_keep)
      WHERE number = :run AND NOT EXISTS
        (SELECT 1 FROM wait WHERE wait.run = run.number AND kind = 'review' AND state = 'decided')
      RETURNING holds IS NOT NULL
      """;

  private static final String QUARANTINE =
      "UPDATE run SET owner = :quarantine, status = 'review', error = :error WHERE number = :run";

  private static final String RESUME =
      """
      UPDATE run SET owner = NULL, status = :status, error = NULL,
        due_at = CASE WHEN due_at < :at THEN due_at ELSE :at END
      WHERE number = :run
      """;

  private static final String HOLDS =
      "UPDATE run SET holds = 1 WHERE number = :run AND holds IS NULL";

  private static final String LET_IN = "UPDATE run SET holds = 1 WHERE number = :run";

  /** The run's timeout continues while it waits for its slot. */
  private static final String QUEUE =
      """
      UPDATE run SET owner = NULL, status = 'queued', due_at = timeout_at, holds = 2 WHERE number = :run
      RETURNING due_at IS NOT NULL
      """;

  private static final String GATE =
      "SELECT tenant, flow, release, gate FROM run WHERE number = :run";

  private static final String REOPEN =
      """
      UPDATE run SET status = 'queued', due_at = :at, owner = NULL, output = NULL, error = NULL, ended_at = NULL,
        expires_at = NULL, cancel = NULL, timeout_at = :timeout, gate = coalesce(:gate, gate),
        holds = CASE WHEN coalesce(:gate, gate) IS NOT NULL THEN 1 END, input = coalesce(:input, input),
        fingerprints = :fingerprints, search = CASE WHEN :corrects = 1 THEN :search ELSE search END,
        release = coalesce(:release, release)
      WHERE number = :run
      """;

  /**
   * A run in memory keeps the time until it is released, so that a run that is leaving does not
   * miss it. A run that waits for its slot continues only when it has the slot, unless it is to be
   * canceled.
   */
  private static final String WAKE =
      """
      UPDATE run SET due_at = CASE WHEN due_at < :at THEN due_at ELSE :at END WHERE number = :run AND ended_at IS NULL
        AND (holds IS NULL OR holds <> 2 OR cancel IS NOT NULL)
      RETURNING owner IS NULL
      """;

  private static final String REQUEST_CANCEL =
      "UPDATE run SET cancel = coalesce(cancel, :cancel) WHERE number = :run";

  /** Keeps the last op that counted, so that a batch that is submitted again counts once. */
  private static final String COUNT_DUPLICATES =
      """
      INSERT INTO duplicate (run, count, op, notes) SELECT number, :count, :op, :notes FROM run WHERE number = :run
      ON CONFLICT (run) DO UPDATE SET count = duplicate.count + excluded.count, op = excluded.op,
        notes = substr(excluded.notes || coalesce(duplicate.notes, ''), 1, cast(:kept AS integer))
      WHERE duplicate.op <> excluded.op
      """;

  private final KeyIndex keys;
  private final SearchRows search;
  private final KeyHolders holders;
  private final RunLock lock;
  private final Prepared insert;
  private final Prepared findId;
  private final Prepared state;
  private final Prepared take;
  private final Prepared release;
  private final Prepared end;
  private final Prepared quarantine;
  private final Prepared resume;
  private final Prepared holds;
  private final Prepared letIn;
  private final Prepared queue;
  private final Prepared gate;
  private final Prepared fingerprints;
  private final Prepared reopen;
  private final Prepared wake;
  private final Prepared requestCancel;
  private final Prepared countDuplicates;

  RunRows(Session session, KeyIndex keys, SearchRows search) throws SQLException {
    this.keys = keys;
    this.search = search;
    this.lock = new RunLock(session);
    this.insert = session.prepare(session.dialect().insertRun(COLUMNS, VALUES));
    this.holders = new KeyHolders(session);
    this.findId = session.prepare(FIND_ID);
    this.state = session.prepare(STATE);
    this.take = session.prepare(TAKE);
    this.release = session.prepare(RELEASE);
    this.end = session.prepare(END);
    this.quarantine = session.prepare(QUARANTINE);
    this.resume = session.prepare(RESUME);
    this.holds = session.prepare(HOLDS);
    this.letIn = session.prepare(LET_IN);
    this.queue = session.prepare(QUEUE);
    this.gate = session.prepare(GATE);
    this.fingerprints = session.prepare("SELECT fingerprints FROM run WHERE number = :run");
    this.reopen = session.prepare(REOPEN);
    this.wake = session.prepare(WAKE);
    this.requestCancel = session.prepare(REQUEST_CANCEL);
    this.countDuplicates = session.prepare(COUNT_DUPLICATES);
  }

  /** Writes the run and returns null, or returns the holder of its id. */
  @Nullable KeyHolder insert(NewRun run, @Nullable Long owner, Instant at) throws SQLException {
    Key id = Key.of(run.id());
    if (keys.isTaken(id) || tryInsert(run, id, owner, at) == 0) {
      return existing(id);
    }
    keys.add(id, run.number());
    return null;
  }

  private int tryInsert(NewRun run, Key id, @Nullable Long owner, Instant at) throws SQLException {
    RunStatus status = owner == null ? RunStatus.QUEUED : RunStatus.RUNNING;
    return insert
        .with(run.number())
        .with(id.bytes())
        .with(run.tenant())
        .with(run.flow())
        .with(run.release())
        .with(run.key())
        .with(status.word())
        .with(run.fingerprint().bytes())
        .with(run.input())
        .with(owner)
        .with(owner == null ? at : null)
        .with(run.timeoutAt())
        .with(at)
        .with(run.parent())
        .with(run.depth())
        .with(run.gate() == null ? null : Json.write(run.gate()))
        .with(run.gate() == null ? null : (Long) HOLDING)
        .with(RunMapping.json(run.startedBy()))
        .with(run.search().json())
        .update();
  }

  private KeyHolder existing(Key id) throws SQLException {
    KeyHolder holder = holder(id);
    if (holder == null) {
      throw new RowIsGone("the run that has the id");
    }
    return holder;
  }

  /** Keeps other transactions from changing the run until this one ends. */
  void lock(long run) throws SQLException {
    lock.take(run);
  }

  @Nullable Run find(long number) throws SQLException {
    lock.take(number);
    return holders.run(number);
  }

  /** Returns the run with this id, or its remains. */
  @Nullable KeyHolder holder(Key id) throws SQLException {
    Long number = keys.number(id);
    if (number == null) {
      return null;
    }
    lock.take(number);
    return holders.of(number);
  }

  /** Returns the public id of a run that exists or existed. */
  String id(long run) throws SQLException {
    return id(findId.with(run).first(row -> row.bytes(1)));
  }

  static String id(byte @Nullable [] id) {
    return id == null ? RetentionRule.NOBODY : RunId.of(id).toString();
  }

  @Nullable State state(long run) throws SQLException {
    return state
        .with(run)
        .first(row -> new State(row.numberOrNull(1), row.flag(2), row.flag(3), row.number(4)));
  }

  void take(long run, long owner) throws SQLException {
    take.with(owner).with(run).update();
  }

  /** Returns the time at which the run is now due. */
  @Nullable Instant release(long run, RunStatus status, @Nullable Instant dueAt)
      throws SQLException {
    Due due =
        release.with(status.word()).with(dueAt).with(run).first(row -> new Due(row.atOrNull(1)));
    return due == null ? null : due.at();
  }

  /** Null if a person has decided something that the run has not learned yet: then it continues. */
  @Nullable Ended end(long run, Change.End change, Instant at) throws SQLException {
    return end.with(change.status().word())
        .with(change.output())
        .with(change.error() == null ? null : Json.write(change.error()))
        .with(at)
        .with(Flow.DEFAULT_RETENTION.toMillis())
        .with(run)
        .first(row -> new Ended(row.flag(1)));
  }

  void quarantine(long run, Failure error) throws SQLException {
    quarantine.with(Run.QUARANTINE).with(Json.write(error)).with(run).update();
  }

  void resume(long run, RunStatus status, Instant at) throws SQLException {
    resume.with(status.word()).with(at).with(run).update();
  }

  /** Records that the run's end has something to give back. */
  void holds(long run) throws SQLException {
    holds.with(run).update();
  }

  /** Records that the run has the slot that it was queued for. */
  void letIn(long run) throws SQLException {
    letIn.with(run).update();
  }

  /** Lets the run wait for its slot; returns whether it has a due time all the same. */
  boolean queue(long run) throws SQLException {
    return Boolean.TRUE.equals(queue.with(run).first(row -> row.flag(1)));
  }

  /** The run's gate, with its tenant, flow and release; null if there is no such run. */
  @Nullable Gated gated(long run) throws SQLException {
    return gate.with(run)
        .first(
            row -> {
              String json = row.textOrNull(4);
              return new Gated(
                  row.text(1),
                  row.text(2),
                  (int) row.number(3),
                  json == null ? null : Json.read(json, Gate.class));
            });
  }

  void reopen(long run, Change.Reopen change, Instant at) throws SQLException {
    search.correct(run, change.search());
    reopen
        .with(at)
        .with(change.timeoutAt())
        .with(change.gate() == null ? null : Json.write(change.gate()))
        .with(change.input())
        .with(fingerprints(run, change.fingerprint()))
        .with(change.search() == null ? 0L : 1L)
        .with(change.search() == null ? null : change.search().json())
        .with(change.release() == null ? null : Long.valueOf(change.release()))
        .with(run)
        .update();
  }

  /** Adds the fingerprint: each input that the run was given counts as its own from then on. */
  private byte @Nullable [] fingerprints(long run, @Nullable Fingerprint another)
      throws SQLException {
    byte[] known = fingerprints.with(run).first(row -> row.bytes(1));
    return known == null || another == null ? known : RunMapping.withFingerprint(known, another);
  }

  /**
   * Makes the run due at once; returns whether it is in no engine's memory and must be taken up.
   */
  boolean wake(long run, Instant at) throws SQLException {
    return Boolean.TRUE.equals(wake.with(at).with(run).first(row -> row.flag(1)));
  }

  void requestCancel(long run, Run.Cancel cancel) throws SQLException {
    requestCancel.with(Json.write(cancel)).with(run).update();
  }

  void countDuplicates(Change.CountDuplicates change, long op) throws SQLException {
    countDuplicates
        .with(change.count())
        .with(op)
        .with(change.notes())
        .with(change.run())
        .with(StoppedNotes.kept(change.notes()))
        .update();
  }

  /** The state that the heads of groups depend on. */
  record State(@Nullable Long owner, boolean canceled, boolean ended, long seq) {}

  /** The values that identify a run's gate. */
  record Gated(String tenant, String flow, int release, @Nullable Gate gate) {
    Line line(Gate before) {
      return before.lineOf(tenant, flow, release);
    }
  }

  /**
   * A run that has ended.
   *
   * @param holds whether it has something to give back, which the caller must do
   */
  record Ended(boolean holds) {}

  private record Due(@Nullable Instant at) {}
}
