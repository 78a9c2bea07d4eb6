package dev.hapax.testkit.memory;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Line;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.CancelRule;
import dev.hapax.run.Gate;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.NewRun;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.StoppedNotes;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.InstantRule;
import dev.hapax.store.LineRule;
import dev.hapax.store.ReceiveRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Writes the changes of one group in their order, and gathers the answers. */
final class MemoryGroupChanges {
  private final MemoryTables tables;
  private final long run;
  private final long op;
  private final Instant at;
  private final WaitChanges waits;
  private final List<Answer> answers = new ArrayList<>();
  private final NavigableSet<Long> woken = new TreeSet<>();
  private final MemoryEffectChanges effects;
  private final MemoryChildChanges children;
  private final LineRule<RuntimeException> lines;
  private GroupAnswer refusal = new GroupAnswer.Lost();
  private boolean endRefused;

  MemoryGroupChanges(MemoryTables tables, long run, Group group) {
    this.tables = tables;
    this.run = run;
    this.op = group.op();
    this.at = group.at();
    this.waits = new WaitChanges(tables, group);
    this.effects = new MemoryEffectChanges(tables, run, this::wake);
    this.children = new MemoryChildChanges(tables, this, run, group);
    this.lines = new LineRule<>(new MemoryGroupLines(tables, this::wake));
  }

  /** Returns the answer to a group of which a change did not hold. */
  GroupAnswer refusal() {
    return refusal;
  }

  List<Answer> answers() {
    return List.copyOf(answers);
  }

  List<Long> woken() {
    return List.copyOf(woken);
  }

  /** Writes the change; returns false if it does not hold, and then the whole group is lost. */
  boolean apply(Change change) {
    switch (change) {
      case Change.Claim(var claim) ->
          answers.add(isCanceled() ? new ClaimAnswer.Refused() : effects.claim(claim));
      case Change.Effect effect -> {
        return effects.settle(effect);
      }
      case Change.Attempt attempt -> {
        return hear(effects.attempt(attempt, isCanceled()));
      }
      case Change.Undo(var wish) -> answers.add(effects.undo(wish));
      case Change.AfterUndo after -> {
        return effects.afterUndo(after);
      }
      case Change.Take(long owner) -> take(owner);
      case Change.Release(var status, var dueAt) -> release(status, dueAt);
      case Change.End end -> end(end);
      case Change.Reopen reopen -> {
        return reopen(reopen);
      }
      case Change.Quarantine(var error) ->
          tables.put(
              edit().owner(Run.QUARANTINE).status(RunStatus.REVIEW).end(null, null, error).toRun());
      case Change.Resume(var status) -> {
        Instant due = earlier(existing(run).dueAt(), at);
        tables.put(edit().owner(null).status(status).dueAt(due).end(null, null, null).toRun());
        woken.add(run);
      }
      case Change.Wake() -> wake(run);
      case Change.RequestCancel(var cancel) -> answers.add(requestCancel(cancel));
      case Change.Spawn(var spawned, boolean isForward) ->
          answers.add(
              endRefused || (isForward && isCanceled())
                  ? new ClaimAnswer.Refused()
                  : spawn(spawned));
      case Change.OpenWait(var opened) -> waits.open(opened);
      case Change.AwaitWait await -> {
        return waits.await(await, this::wake);
      }
      case Change.AnswerWait answer -> {
        return hear(waits.answer(answer, this::wake));
      }
      case Change.ExpireWait(long number) -> {
        return hear(waits.expire(number, this::wake));
      }
      case Change.Decide decide -> {
        return decide(decide);
      }
      case Change.HearDecision(var told) -> tables.put(told.closed(op, at));
      case Change.CloseWaits(boolean keepCallbacks) -> waits.close(run, keepCallbacks);
      case Change.Receive event ->
          answers.add(new ReceiveRule<>(tables.inbox(), spawning()).receive(event, op));
      case Change.ForgetEvents forget -> tables.inbox().forget(forget);
      case Change.PutSchedule put -> {
        ScheduleRecord row = put.schedule();
        if (!put.holdsAt(tables.scheduleVersion(row.tenant(), row.name()), op)) {
          return false;
        }
        tables.put(row.writtenBy(op));
      }
      case Change.FireSchedule fire -> {
        return hear(fire(fire));
      }
      case Change.RemoveSchedule remove -> {
        if (!remove.holdsAt(tables.scheduleVersion(remove.tenant(), remove.name()))) {
          return false;
        }
        tables.removeSchedule(remove.tenant(), remove.name());
      }
      case Change.PutJob put -> {
        return tables.jobs().put(put, op);
      }
      case Change.PutJobItems put -> tables.jobs().put(put);
      case Change.RemoveJob remove -> tables.jobs().remove(remove);
      case Change.Call call ->
          answers.add(isCanceled() ? new ClaimAnswer.Refused() : children.call(call));
      case Change.Await await -> answers.add(children.await(await, isCanceled()));
      case Change.StopChild stop -> answers.add(children.stop(stop));
      case Change.ForgetKey(long forgotten, var _, var _) -> tables.retention().forget(forgotten);
      case Change.KeepRuns(var tenant, var flow, var keep) ->
          tables.retention().putKeep(tenant, flow, keep);
      case Change.ExpireRuns expire -> new Expiry(tables, at).expire(expire);
      case Change.ClearJournals _ -> {} // nothing is left here
      case Change.KeepEffects(var tenant, var name, var flow, var window) ->
          tables.ledger().putUse(tenant, name, flow, window);
      case Change.ImportEffects(var rows) -> answers.add(effects.bringIn(rows));
      case Change.AdoptId adopt -> answers.add(new Answer.IdAdopted(effects.adopt(adopt)));
      case Change.LeaveEffects(var references, var until, var isDeferred) ->
          new LedgerExpiry(tables, at, until, isDeferred ? Set.of() : null).leave(references);
      case Change.ExpireEffects(var numbers, var until, var exported) ->
          new LedgerExpiry(tables, at, until, exported).expire(numbers);
      case Change.EndEffectTombstones(int most) -> LedgerExpiry.endTombstones(tables, most, at);
      case Change.EndTombstones(var runs) -> new Expiry(tables, at).endTombstones(runs);
      case Change.Lock(var line, var step) ->
          answers.add(
              isCanceled()
                  ? new ClaimAnswer.Refused()
                  : lines.answerLock(new LineRule.Arrival(line, run, op, step, at)));
      case Change.Unlock(var line, var step) -> lines.unlock(line, run, step, at);
      case Change.Kv(var request, boolean isRequired) -> {
        Answer.Kv answer = tables.kv().answer(request, at);
        if (isRequired && !answer.written()) {
          return false;
        }
        answers.add(answer);
      }
      case Change.EraseTenant erase -> new MemoryErasure(tables).erase(erase);
      case Change.EraseRun erase -> answers.add(new MemorySubjects(tables, at).erase(erase, op));
      case Change.EraseMentions erase -> {
        tables.inbox().erase(erase);
        tables.jobs().erase(erase);
      }
      case Change.NoteErasure(var erasure) -> {
        if (!tables.erasures().containsKey(erasure.number())) {
          tables.put(erasure);
        }
      }
      case Change.EndErasure end -> new MemorySubjects(tables, at).end(end);
      case Change.IndexSearch _ -> {} // every list looks at all rows
      case Change.CollectKv(int most) -> tables.kv().collect(most, at);
      case Change.StoreResource(var part) -> tables.resources().put(part, at);
      case Change.DropReferences(long subject) -> tables.resources().drop(subject);
      case Change.CollectResources(int most) -> tables.resources().collect(most, at);
      case Change.CountDuplicates count -> countDuplicates(count);
    }
    return true;
  }

  private boolean hear(@Nullable Answer answer) {
    return answer != null && answers.add(answer);
  }

  private void end(Change.End end) {
    if (isCanceled() && CancelRule.refusesEnd(end.status(), end.isCancelHeard())) {
      answers.add(new Answer.NotEnded());
      endRefused = true;
      return;
    }
    if (isDecisionUnheard()) {
      answers.add(new Answer.NotEnded(true));
      endRefused = true;
      return;
    }
    RunEdit ended = edit().status(end.status()).end(at, end.output(), end.error());
    Run row = ended.owner(null).dueAt(null).toRun();
    tables.put(row);
    tables.retention().setExpiry(run, at.plus(tables.retention().keep(row.tenant(), row.flow())));
    tables.removeWaiters(run).forEach(this::wake);
    lines.leaveAll(run, at);
  }

  private boolean isDecisionUnheard() {
    return tables.waits().stream().anyMatch(wait -> wait.run() == run && wait.isUnheardReview());
  }

  private Answer.@Nullable Fired fire(Change.FireSchedule fire) {
    ScheduleRecord row = fire.schedule();
    var rule = new InstantRule<>(spawning());
    long found = tables.scheduleVersion(row.tenant(), row.name());
    if (found == op) {
      return rule.again(fire, tables.schedule(row.tenant(), row.name()));
    }
    if (found != fire.expected()) {
      return null;
    }
    InstantRule.Decision decision = rule.fire(fire);
    tables.put(decision.row().writtenBy(op));
    return decision.answer();
  }

  private @Nullable Run openRun(String id) {
    return tables.retention().holder(RunId.parse(id)) instanceof KeyHolder.Present present
            && !present.run().status().isEnd()
        ? present.run()
        : null;
  }

  private InstantRule.Runs<RuntimeException> spawning() {
    return new InstantRule.Runs<>() {
      @Override
      public Answer spawn(NewRun run, @Nullable Instant occurredAt) {
        Answer answer = MemoryGroupChanges.this.spawn(run);
        if (occurredAt != null && answer instanceof Answer.Spawned spawned && spawned.isFresh()) {
          tellWhenOccurred(run.number(), occurredAt);
        }
        return answer;
      }

      @Override
      public @Nullable String busy(NewRun run) {
        return tables.retention().holder(run.id()) == null ? holderAtGate(run) : null;
      }

      @Override
      public boolean isStartedWith(String run, Fingerprint input) {
        return tables.retention().holder(RunId.parse(run)) instanceof KeyHolder.Present present
            && present.run().startedWith(input);
      }

      @Override
      public boolean isOpen(String run) {
        return openRun(run) != null;
      }

      @Override
      public void cancel(String run, Run.Cancel wish) {
        Run open = openRun(run);
        if (open != null && CancelRule.isAccepted(open.status())) {
          MemoryGroupChanges.this.cancel(open.number(), wish);
        }
      }

      @Override
      public boolean isStarted(NewRun run) {
        KeyHolder holder = tables.retention().holder(run.id());
        return holder != null && holder.number() == run.number();
      }
    };
  }

  private void tellWhenOccurred(long fresh, Instant occurredAt) {
    String entries = JournalRow.write(List.of(new RunEntry.Occurred(occurredAt)));
    int seq = tables.holds().isQueued(fresh) ? 2 : 1;
    tables.put(new JournalRow(fresh, seq, op, at, entries, null));
  }

  private Answer spawn(NewRun spawned) {
    switch (tables.retention().holder(spawned.id())) {
      case KeyHolder.Present(var present, var _) -> {
        return Answer.Spawned.found(present, spawned);
      }
      case KeyHolder.Expired(var tombstone, var _) -> {
        return Answer.SpawnExpired.of(tombstone);
      }
      case null -> {}
    }
    begin(spawned);
    return new Answer.Spawned(spawned.number(), true, true);
  }

  void begin(NewRun spawned) {
    tables.put(RunEdit.inserted(spawned, null, at));
    tables.resources().refer(spawned.number(), spawned.tenant(), spawned.input());
    Gate gate = spawned.gate();
    if (gate == null || enter(spawned, gate) == null) {
      woken.add(spawned.number());
    }
  }

  // ---- gates

  /**
   * Lets a run that was just inserted enter its gate. Returns null if it has no gate, or got a
   * slot; otherwise the answer to its group.
   */
  @Nullable GroupAnswer passGate(NewRun fresh) {
    Gate gate = fresh.gate();
    if (gate == null) {
      return null;
    }
    String holder = holderAtGate(fresh);
    if (holder != null) {
      return new GroupAnswer.Busy(holder);
    }
    Answer.Queued queued = enter(fresh, gate);
    return queued == null ? null : new GroupAnswer.Queued(queued, woken());
  }

  /** Returns the holder of the slot that the run would need, if its flow refuses runs then. */
  private @Nullable String holderAtGate(NewRun fresh) {
    Gate gate = fresh.gate();
    if (gate == null) {
      return null;
    }
    Line line = gate.lineOf(fresh.tenant(), fresh.flow(), fresh.release());
    LineRule.Reply.Busy busy = lines.refusal(line, gate.overflow());
    return busy == null ? null : busy.holder();
  }

  private Answer.@Nullable Queued enter(NewRun fresh, Gate gate) {
    tables.holds().putGate(fresh.number(), gate);
    Line line = gate.lineOf(fresh.tenant(), fresh.flow(), fresh.release());
    Answer.Queued queued = enter(line, fresh.number(), gate);
    if (queued != null) {
      String entries = JournalRow.write(List.of(new RunEntry.Queued(gate)));
      String answer = JournalRow.writeAnswers(List.of(queued));
      tables.put(new JournalRow(fresh.number(), 1, op, at, entries, answer));
    }
    return queued;
  }

  private Answer.@Nullable Queued enter(Line line, long entrant, Gate gate) {
    var arrival = new LineRule.Arrival(line, entrant, op, null, at);
    if (!(lines.enter(arrival, gate.overflow())
        instanceof LineRule.Reply.Queued(var behind, var displaced))) {
      tables.holds().putQueued(entrant, false);
      return null;
    }
    Run row = existing(entrant);
    tables.put(RunEdit.of(row).owner(null).status(RunStatus.QUEUED).dueAt(row.timeoutAt()).toRun());
    tables.holds().putQueued(entrant, true);
    if (row.timeoutAt() != null) {
      woken.add(entrant); // so that a node notices its timeout
    }
    return new Answer.Queued(behind, displaced);
  }

  private void take(long owner) {
    boolean isCompensating = existing(run).status() == RunStatus.COMPENSATING;
    var status = isCompensating ? RunStatus.COMPENSATING : RunStatus.RUNNING;
    tables.put(edit().owner(owner).status(status).dueAt(null).toRun());
  }

  /** Returns the runs that are before this run in line. */
  List<List<Long>> before(long waiting) {
    return lines.before(waiting);
  }

  private void release(RunStatus status, @Nullable Instant dueAt) {
    Instant due = earlier(existing(run).dueAt(), dueAt);
    tables.put(edit().owner(null).status(status).dueAt(due).toRun());
    if (due != null && !due.isAfter(at)) {
      woken.add(run);
    }
  }

  /**
   * Reopens a run for a retry. The caller is refused if there is no slot and the flow says to
   * refuse.
   */
  private boolean reopen(Change.Reopen reopen) {
    Run was = existing(run);
    Gate gate = reopen.gate() != null ? reopen.gate() : tables.holds().gate(run);
    LineRule.Reply.Busy busy =
        gate == null
            ? null
            : lines.refusal(gate.lineOf(was.tenant(), was.flow(), was.release()), gate.overflow());
    if (busy != null) {
      refusal = new GroupAnswer.Busy(busy.holder());
      return false;
    }
    Answer.Queued queued = reopen(run, reopen);
    if (queued != null) {
      answers.add(queued);
    }
    return true;
  }

  /**
   * Lets an ended run continue; returns an answer if it has to wait for its slot. Never refuses.
   */
  Answer.@Nullable Queued reopen(long number, Change.Reopen reopen) {
    var edit =
        RunEdit.of(existing(number))
            .owner(null)
            .status(RunStatus.QUEUED)
            .dueAt(at)
            .timeoutAt(reopen.timeoutAt())
            .cancel(null)
            .end(null, null, null);
    if (reopen.input() != null && reopen.fingerprint() != null) {
      edit.input(reopen.input(), reopen.fingerprint());
    }
    if (reopen.search() != null) {
      edit.search(reopen.search());
    }
    if (reopen.release() != null) {
      edit.release(reopen.release());
    }
    tables.put(edit.toRun());
    waits.reopen(number);
    tables.retention().setExpiry(number, null);
    if (reopen.gate() != null) {
      tables.holds().putGate(number, reopen.gate());
    }
    Run row = existing(number);
    Gate gate = tables.holds().gate(number);
    Answer.Queued queued =
        gate == null
            ? null
            : enter(gate.lineOf(row.tenant(), row.flow(), row.release()), number, gate);
    if (queued == null) {
      woken.add(number);
    }
    return queued;
  }

  private boolean decide(Change.Decide decide) {
    boolean holds = decide.holdsFor(tables.ledger().find(decide.after().effect()), run);
    answers.add(new Answer.Decided(holds));
    if (holds) {
      effects.settle(decide.after());
      tables.put(decide.told());
      if (decide.cancel() != null) {
        var _ = requestCancel(decide.cancel());
      }
      wake(run);
    }
    Change.AfterUndo undone = decide.undone();
    return !holds || undone == null || effects.afterUndo(undone);
  }

  private Answer requestCancel(Run.Cancel wish) {
    if (!CancelRule.isAccepted(existing(run).status())) {
      return new ClaimAnswer.Refused();
    }
    cancel(run, wish);
    return new Answer.Canceling(Objects.requireNonNull(existing(run).cancel()));
  }

  void cancel(long number, Run.Cancel cancel) {
    Run row = existing(number);
    if (row.cancel() == null) {
      tables.put(RunEdit.of(row).cancel(cancel).toRun());
    }
    waits.close(number, false);
    wake(number);
  }

  /**
   * Makes a run due at once. A run in memory keeps the time until it is released, so that events
   * while it was about to leave are not missed. A run that has ended has nothing left to do.
   */
  private void wake(long number) {
    Run sleeper = tables.run(number);
    if (sleeper == null
        || sleeper.status().isEnd()
        || (tables.holds().isQueued(number) && sleeper.cancel() == null)) {
      return; // a run that waits for its slot goes on when it has it and not before
    }
    tables.put(RunEdit.of(sleeper).dueAt(earlier(sleeper.dueAt(), at)).toRun());
    if (sleeper.owner() == null) {
      woken.add(number);
    }
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.isBefore(other) ? one : other;
  }

  /**
   * Counts duplicates. The last group that counted is kept, so that a batch sent again counts once.
   */
  private void countDuplicates(Change.CountDuplicates change) {
    long counted = change.run();
    Run row = tables.run(counted);
    if (row != null && !Long.valueOf(op).equals(tables.lastCount(counted))) {
      tables.put(RunEdit.of(row).countDuplicates(change.count()).toRun());
      tables.putCount(counted, op);
      tables.putStoppedNotes(
          counted, StoppedNotes.merged(change.notes(), tables.stoppedNotes(counted)));
    }
  }

  private boolean isCanceled() {
    return existing(run).cancel() != null;
  }

  private RunEdit edit() {
    return RunEdit.of(existing(run));
  }

  private Run existing(long number) {
    Run row = tables.run(number);
    if (row == null) {
      throw new IllegalStateException(
          "there is no run " + number + " that this change could be about");
    }
    return row;
  }
}
