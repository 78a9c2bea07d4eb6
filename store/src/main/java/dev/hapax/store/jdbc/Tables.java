package dev.hapax.store.jdbc;

import dev.hapax.run.ErasureRecord;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All of the writer's statements about groups, on one connection. */
public final class Tables {
  private final RunRows runs;
  private final JournalRows journal;
  private final EffectRows effects;
  private final LedgerRows ledger;
  private final WaiterRows waiters;
  private final WaitRows waits;
  private final ScheduleRows schedules;
  private final RetentionRows retention;
  private final LineRows lines;
  private final ResourceRows resources;
  private final KvRows kv;
  private final AnsweredRows answered;
  private final InboxRows inbox;
  private final ErasureRows erasure;
  private final SubjectRows subjects;
  private final SearchRows search;
  private final JobRows jobs;

  public Tables(Session session, KeyIndex runKeys, KeyIndex effectKeys) throws SQLException {
    this.search = new SearchRows(session);
    this.runs = new RunRows(session, runKeys, search);
    this.journal = new JournalRows(session);
    this.waiters = new WaiterRows(session);
    this.waits = new WaitRows(session);
    this.schedules = new ScheduleRows(session);
    this.resources = new ResourceRows(session);
    this.ledger = new LedgerRows(session, effectKeys, resources, search);
    this.effects = new EffectRows(session, effectKeys, ledger, search);
    this.kv = new KvRows(session, resources);
    this.answered = new AnsweredRows(session);
    this.retention = new RetentionRows(session, runKeys, resources, search);
    this.lines = new LineRows(session);
    this.inbox = new InboxRows(session);
    this.jobs = new JobRows(session);
    this.erasure = new ErasureRows(session, runKeys, effectKeys, search);
    this.subjects = new SubjectRows(session);
  }

  /**
   * Decides the outcome of a group, and writes it, statement by statement.
   *
   * @throws ChangeDoesNotHold if the group is lost after a part of it was written: the transaction
   *     must be rolled back
   */
  public GroupAnswer write(Group group) throws SQLException, ChangeDoesNotHold {
    return new GroupWriter(this, group).write();
  }

  /**
   * Wakes these runs, and lets the next runs in if the group's run has left its lines; returns the
   * runs that it woke.
   */
  public List<Long> wake(Group group, long run, List<Long> sleepers, boolean leavesLines)
      throws SQLException {
    var changes = new GroupChanges(this, group, run, false);
    changes.wakeAll(sleepers, leavesLines);
    return changes.woken();
  }

  /** Forgets what it learned from rows that no longer exist. */
  public void rolledBack() {
    waiters.rolledBack();
    resources.rolledBack();
    ledger.rolledBack();
  }

  /** Returns the store's secret key; stores the given one if there is none yet. */
  public byte[] secret(byte[] fresh) throws SQLException {
    return waits.secret(fresh);
  }

  /** Remembers a request to erase that the database does not know. */
  public void note(ErasureRecord erasure) throws SQLException {
    subjects.note(erasure);
  }

  /** Returns the store's secret key; null if there is none. */
  public byte @Nullable [] secret() throws SQLException {
    return waits.secret();
  }

  RunRows runs() {
    return runs;
  }

  JournalRows journal() {
    return journal;
  }

  EffectRows effects() {
    return effects;
  }

  LedgerRows ledger() {
    return ledger;
  }

  WaiterRows waiters() {
    return waiters;
  }

  WaitRows waits() {
    return waits;
  }

  InboxRows inbox() {
    return inbox;
  }

  ScheduleRows schedules() {
    return schedules;
  }

  RetentionRows retention() {
    return retention;
  }

  LineRows lines() {
    return lines;
  }

  ResourceRows resources() {
    return resources;
  }

  KvRows kv() {
    return kv;
  }

  ErasureRows erasure() {
    return erasure;
  }

  SubjectRows subjects() {
    return subjects;
  }

  SearchRows search() {
    return search;
  }

  JobRows jobs() {
    return jobs;
  }

  AnsweredRows answered() {
    return answered;
  }
}
