package dev.hapax.store.jdbc;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Line;
import dev.hapax.flow.Overflow;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.run.CancelRule;
import dev.hapax.run.Gate;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.wait.Wait;
import dev.hapax.run.wait.WaitRule;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.InstantRule;
import dev.hapax.store.LineRule;
import dev.hapax.store.ReceiveRule;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the changes of one group in their order, and gathers the answers. */
final class GroupChanges {
  private final Tables tables;
  private final Group group;
  private final long run;
  private final LineRule<SQLException> lines;
  private final EffectChanges effects;
  private boolean canceled;
  private boolean endRefused;
  private boolean allGrantedAsAsked = true;
  private final List<Answer> answers = new ArrayList<>(1);
  private final List<Long> woken = new ArrayList<>(0);

  GroupChanges(Tables tables, Group group, long run, boolean canceled) {
    this.tables = tables;
    this.group = group;
    this.run = run;
    this.canceled = canceled;
    this.effects = new EffectChanges(tables, run);
    this.lines = new LineRule<>(new GroupLines(tables, this::wake));
  }

  List<Answer> answers() {
    return answers;
  }

  /** True for nearly every group; the journal then leaves the answers out. */
  boolean allGrantedAsAsked() {
    return allGrantedAsAsked;
  }

  List<Long> woken() {
    return woken;
  }

  void apply(Change change) throws SQLException, ChangeDoesNotHold {
    switch (change) {
      case Change.Claim(var claim) -> {
        if (canceled) {
          refuse();
        } else {
          answer(effects.claim(claim), new ClaimAnswer.Granted(claim.number(), 1));
        }
      }
      case Change.Attempt attempt -> attempt(attempt);
      case Change.Effect effect -> {
        require(effects.settle(effect));
        if (!effect.state().isOpen()) {
          wakeWaiters(effect.effect());
        }
      }
      case Change.Undo(var wish) ->
          answer(effects.undo(wish), new ClaimAnswer.Granted(wish.claim().number(), 1));
      case Change.AfterUndo after -> {
        require(effects.afterUndo(after));
        wakeWaiters(after.effect());
      }
      case Change.Take(long owner) -> tables.runs().take(run, owner);
      case Change.Release release -> release(release);
      case Change.End end -> end(end);
      case Change.Reopen reopen -> reopen(reopen);
      case Change.Quarantine(var error) -> tables.runs().quarantine(run, error);
      case Change.Resume(var status) -> {
        tables.runs().resume(run, status, at());
        woken.add(run);
      }
      case Change.Wake() -> wake(run);
      case Change.RequestCancel(var cancel) -> requestCancel(cancel);
      case Change.Spawn(var spawned, boolean isForward) -> {
        if (endRefused || (isForward && canceled)) {
          refuse();
        } else {
          answer(spawn(spawned));
        }
      }
      case Change.OpenWait(var opened) -> tables.waits().open(opened);
      case Change.AwaitWait await -> await(await);
      case Change.AnswerWait answer -> answerWait(answer);
      case Change.ExpireWait(long number) ->
          settleWait(WaitRule.expire(existingWait(number), group.op(), at()));
      case Change.Decide decide -> decide(decide);
      case Change.HearDecision(var told) -> tables.waits().settle(told.closed(group.op(), at()));
      case Change.CloseWaits(boolean keepCallbacks) ->
          tables.waits().close(run, keepCallbacks, group.op(), at());
      case Change.Receive event ->
          answer(new ReceiveRule<>(tables.inbox(), spawning()).receive(event, group.op()));
      case Change.ForgetEvents forget -> tables.inbox().forget(forget);
      case Change.PutSchedule put -> require(tables.schedules().put(put, group.op()));
      case Change.FireSchedule fire -> {
        Answer.Fired fired =
            tables.schedules().fire(fire, new InstantRule<>(spawning()), group.op());
        require(fired != null);
        answer(Objects.requireNonNull(fired));
      }
      case Change.RemoveSchedule remove -> require(tables.schedules().remove(remove));
      case Change.PutJob put -> require(tables.jobs().put(put, group.op()));
      case Change.PutJobItems put -> tables.jobs().putItems(put);
      case Change.RemoveJob remove -> tables.jobs().remove(remove);
      case Change.Call call -> {
        if (canceled) {
          refuse();
        } else {
          answer(children().call(call));
        }
      }
      case Change.Await await -> answer(children().await(await, canceled));
      case Change.StopChild stop -> answer(children().stop(stop));
      case Change.ForgetKey forget -> tables.retention().forget(forget, at());
      case Change.KeepRuns keep -> tables.retention().keep(keep);
      case Change.ExpireRuns expire -> tables.retention().expire(expire, at());
      case Change.ClearJournals(var runs) -> tables.retention().clearJournals(runs);
      case Change.KeepEffects keep -> tables.ledger().keep(keep);
      case Change.ImportEffects(var rows) -> answer(effects.bringIn(rows));
      case Change.AdoptId adopt -> answer(new Answer.IdAdopted(effects.adopt(adopt)));
      case Change.LeaveEffects leave -> tables.ledger().leave(leave, at());
      case Change.ExpireEffects expire -> tables.ledger().expire(expire, at());
      case Change.EndEffectTombstones(int most) -> tables.ledger().endTombstones(most, at());
      case Change.EndTombstones(var runs) -> tables.retention().endTombstones(runs, at());
      case Change.Lock lock -> lock(lock);
      case Change.Unlock(var line, var step) -> lines.unlock(line, run, step, at());
      case Change.Kv(var request, boolean isRequired) -> {
        Answer.Kv answer = tables.kv().answer(request, at());
        require(!isRequired || answer.written());
        answer(answer);
      }
      case Change.EraseTenant erase -> tables.erasure().erase(erase);
      case Change.EraseRun erase -> answer(tables.subjects().erase(erase, tables, group));
      case Change.EraseMentions erase -> tables.subjects().erase(erase);
      case Change.NoteErasure(var erasure) -> tables.subjects().note(erasure);
      case Change.EndErasure end -> tables.subjects().end(end, at());
      case Change.IndexSearch index -> tables.search().index(index);
      case Change.CollectKv(int most) -> tables.kv().collect(most, at());
      case Change.StoreResource(var part) -> tables.resources().put(part, at());
      case Change.DropReferences(long subject) -> tables.resources().drop(subject);
      case Change.CollectResources(int most) -> tables.resources().collect(most, at());
      case Change.CountDuplicates count -> tables.runs().countDuplicates(count, group.op());
    }
  }

  private InstantRule.Runs<SQLException> spawning() {
    return new InstantRule.Runs<>() {
      @Override
      public Answer spawn(NewRun run, @Nullable Instant occurredAt) throws SQLException {
        return GroupChanges.this.spawn(run, occurredAt);
      }

      @Override
      public @Nullable String busy(NewRun run) throws SQLException {
        GroupAnswer.Busy busy = refusal(run);
        return busy == null ? null : busy.holder();
      }

      @Override
      public boolean isStartedWith(String run, Fingerprint input) throws SQLException {
        return tables.runs().holder(Key.of(RunId.parse(run))) instanceof KeyHolder.Present present
            && present.run().startedWith(input);
      }

      @Override
      public boolean isOpen(String run) throws SQLException {
        return openRun(run) != null;
      }

      @Override
      public void cancel(String run, Run.Cancel wish) throws SQLException {
        Run open = openRun(run);
        if (open != null && CancelRule.isAccepted(open.status())) {
          GroupChanges.this.cancel(open.number(), wish);
        }
      }

      @Override
      public boolean isStarted(NewRun run) throws SQLException {
        KeyHolder holder = tables.runs().holder(Key.of(run.id()));
        return holder != null && holder.number() == run.number();
      }
    };
  }

  private @Nullable Run openRun(String id) throws SQLException {
    return tables.runs().holder(Key.of(RunId.parse(id))) instanceof KeyHolder.Present present
            && !present.run().status().isEnd()
        ? present.run()
        : null;
  }

  private Answer spawn(NewRun spawned) throws SQLException {
    return spawn(spawned, null);
  }

  private Answer spawn(NewRun spawned, @Nullable Instant occurredAt) throws SQLException {
    return switch (tables.runs().insert(spawned, null, at())) {
      case null -> {
        tables.resources().refer(spawned.number(), spawned.number(), spawned.input());
        Gate gate = spawned.gate();
        boolean isQueued = gate != null && enter(spawned, gate) != null;
        if (!isQueued) {
          woken.add(spawned.number());
        }
        if (occurredAt != null) {
          String entries = JournalRow.write(List.of(new RunEntry.Occurred(occurredAt)));
          tables.journal().append(spawned.number(), isQueued ? 2 : 1, group, entries);
        }
        yield new Answer.Spawned(spawned.number(), true, true);
      }
      case KeyHolder.Present(var present, var _) -> Answer.Spawned.found(present, spawned);
      case KeyHolder.Expired(var tombstone, var _) -> Answer.SpawnExpired.of(tombstone);
    };
  }

  private void await(Change.AwaitWait await) throws SQLException, ChangeDoesNotHold {
    Boolean isSettled = tables.waits().await(await);
    require(isSettled != null);
    if (Boolean.TRUE.equals(isSettled)) {
      wake(run);
    }
  }

  private void answerWait(Change.AnswerWait answer) throws SQLException, ChangeDoesNotHold {
    var wait = existingWait(answer.number());
    var rule = WaitRule.answer(wait, answer.decision(), answer.by(), group.op(), at());
    if (rule.isLater()) {
      tables.waits().keep(answer, group.op(), at());
    }
    tables.resources().refer(wait.run(), wait.run(), answer.decision());
    settleWait(rule);
  }

  private void settleWait(WaitRule rule) throws SQLException {
    if (rule.changes()) {
      tables.waits().settle(rule.after());
      if (rule.after().isAwaited()) {
        wake(rule.after().run());
      }
    }
    answer(rule.heard());
  }

  private Wait existingWait(long number) throws SQLException, ChangeDoesNotHold {
    Wait wait = tables.waits().find(number);
    if (wait == null) {
      throw new ChangeDoesNotHold();
    }
    return wait;
  }

  private ChildChanges children() {
    return new ChildChanges(tables, this, run, group);
  }

  /** Wakes a run that this commit has inserted, so that an engine takes it up. */
  void begin(NewRun begun) throws SQLException {
    tables.resources().refer(begun.number(), begun.number(), begun.input());
    woken.add(begun.number());
  }

  /** Lets an ended run continue; returns non-null if it must wait for its slot. Never refuses. */
  Answer.@Nullable Queued reopen(long ended, Change.Reopen reopen) throws SQLException {
    tables.runs().reopen(ended, reopen, at());
    tables.waits().reopen(ended);
    RunRows.Gated gated = tables.runs().gated(ended);
    Gate gate = gated == null ? null : gated.gate();
    Answer.Queued queued = null;
    if (gated != null && gate != null) {
      queued = enter(gated.line(gate), ended, gate);
    }
    if (queued == null) {
      woken.add(ended);
    }
    return queued;
  }

  private void end(Change.End end) throws SQLException {
    if (canceled && CancelRule.refusesEnd(end.status(), end.isCancelHeard())) {
      endRefused = true;
      answer(new Answer.NotEnded());
      return;
    }
    RunRows.Ended ended = tables.runs().end(run, end, at());
    if (ended == null) {
      endRefused = true;
      answer(new Answer.NotEnded(true));
      return;
    }
    wakeWaiters(run);
    if (ended.holds()) {
      lines.leaveAll(run, at());
    }
  }

  private void decide(Change.Decide decide) throws SQLException, ChangeDoesNotHold {
    Change.Effect after = decide.after();
    Change.AfterUndo undone = decide.undone();
    boolean holds = decide.holdsFor(tables.effects().find(after.effect()), run);
    answer(new Answer.Decided(holds));
    if (!holds) {
      return;
    }
    apply(after);
    if (undone != null) {
      apply(undone);
    }
    tables.waits().open(decide.told());
    tables.waits().settle(decide.told());
    tables.resources().refer(run, run, decide.told().decision());
    Run.Cancel cancel = decide.cancel();
    if (cancel != null) {
      cancelIfAccepted(cancel);
    }
    wake(run);
  }

  private void requestCancel(Run.Cancel wish) throws SQLException {
    Run.Cancel first = cancelIfAccepted(wish);
    if (first == null) {
      refuse();
    } else {
      answer(new Answer.Canceling(first));
    }
  }

  /** Returns the first request to cancel the run, which stays; null if none is accepted now. */
  private Run.@Nullable Cancel cancelIfAccepted(Run.Cancel wish) throws SQLException {
    Run row = tables.runs().find(run);
    if (row == null || !CancelRule.isAccepted(row.status())) {
      return null;
    }
    cancel(run, wish);
    canceled = true;
    return row.cancel() == null ? wish : row.cancel();
  }

  void cancel(long wanted, Run.Cancel cancel) throws SQLException {
    tables.runs().requestCancel(wanted, cancel);
    tables.waits().close(wanted, false, group.op(), at());
    wake(wanted);
  }

  // ---- gates

  /** Dedupe comes before the gate: a start whose key already has a run is not refused. */
  GroupAnswer.@Nullable Busy refusal(NewRun fresh) throws SQLException {
    Gate gate = fresh.gate();
    return gate == null
            || gate.overflow() != Overflow.REJECT
            || tables.runs().holder(Key.of(fresh.id())) != null
        ? null
        : refusal(gate.lineOf(fresh.tenant(), fresh.flow(), fresh.release()), gate);
  }

  private GroupAnswer.@Nullable Busy refusal(Line line, Gate gate) throws SQLException {
    LineRule.Reply.Busy busy = lines.refusal(line, gate.overflow());
    return busy == null ? null : new GroupAnswer.Busy(busy.holder());
  }

  /**
   * Lets a run that was just inserted enter its gate. Returns null if it has a slot; otherwise its
   * journal records that it waits.
   */
  Answer.@Nullable Queued enter(NewRun fresh, Gate gate) throws SQLException {
    Line line = gate.lineOf(fresh.tenant(), fresh.flow(), fresh.release());
    Answer.Queued queued = enter(line, fresh.number(), gate);
    if (queued != null) {
      String entries = JournalRow.write(List.of(new RunEntry.Queued(gate)));
      tables.journal().append(fresh.number(), 1, group, entries);
      tables.journal().answer(fresh.number(), 1, JournalRow.writeAnswers(List.of(queued)));
    }
    return queued;
  }

  private Answer.@Nullable Queued enter(Line line, long entrant, Gate gate) throws SQLException {
    var arrival = new LineRule.Arrival(line, entrant, group.op(), null, at());
    if (!(lines.enter(arrival, gate.overflow())
        instanceof LineRule.Reply.Queued(var behind, var displaced))) {
      return null;
    }
    if (tables.runs().queue(entrant)) {
      woken.add(entrant); // so that its timeout is noticed
    }
    return new Answer.Queued(behind, displaced);
  }

  /** Refuses the retry if there is no slot and the flow says to refuse. */
  private void reopen(Change.Reopen reopen) throws SQLException, ChangeDoesNotHold {
    RunRows.Gated was = tables.runs().gated(run);
    Gate gate = reopen.gate() != null || was == null ? reopen.gate() : was.gate();
    GroupAnswer.Busy busy = was == null || gate == null ? null : refusal(was.line(gate), gate);
    if (busy != null) {
      throw new ChangeDoesNotHold(busy);
    }
    Answer.Queued queued = reopen(run, reopen);
    canceled = false;
    if (queued != null) {
      answer(queued);
    }
  }

  private void lock(Change.Lock lock) throws SQLException {
    if (canceled) {
      refuse();
      return;
    }
    tables.runs().holds(run); // so that its end releases the lock, if it gets it
    answer(lines.answerLock(new LineRule.Arrival(lock.line(), run, group.op(), lock.step(), at())));
  }

  private void attempt(Change.Attempt attempt) throws SQLException, ChangeDoesNotHold {
    if (canceled && !attempt.evenIfCanceled()) {
      require(tables.effects().owns(run, attempt.effect(), attempt.revision()));
      refuse();
    } else {
      require(tables.effects().attempt(run, attempt));
      answers.add(new ClaimAnswer.Granted(attempt.effect(), attempt.revision()));
    }
  }

  /** Returns the runs that a waiting run is behind. */
  List<List<Long>> before(long waiting) throws SQLException {
    return lines.before(waiting);
  }

  private void release(Change.Release release) throws SQLException {
    Instant due = tables.runs().release(run, release.status(), release.dueAt());
    if (due != null && !due.isAfter(at())) {
      woken.add(run);
    }
  }

  /** For a group whose rows were written in another way. */
  void wakeAll(List<Long> sleepers, boolean leavesLines) throws SQLException {
    for (long sleeper : sleepers) {
      wake(sleeper);
    }
    if (leavesLines) {
      lines.leaveAll(run, at());
    }
  }

  private void wakeWaiters(long subject) throws SQLException {
    for (long waiter : tables.waiters().remove(subject)) {
      wake(waiter);
    }
  }

  private void wake(long sleeper) throws SQLException {
    if (tables.runs().wake(sleeper, at()) && !woken.contains(sleeper)) {
      woken.add(sleeper);
    }
  }

  private void refuse() {
    answer(new ClaimAnswer.Refused());
  }

  private void answer(Answer given, Answer asAsked) {
    answers.add(given);
    allGrantedAsAsked &= given.equals(asAsked);
  }

  private void answer(Answer answer) {
    answers.add(answer);
    allGrantedAsAsked = false;
  }

  private Instant at() {
    return group.at();
  }

  private static void require(boolean holds) throws ChangeDoesNotHold {
    if (!holds) {
      throw new ChangeDoesNotHold();
    }
  }
}
