package dev.hapax.engine.control;

import dev.hapax.engine.Engine;
import dev.hapax.engine.Settling;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.StepJournal;
import dev.hapax.engine.replay.StepKind;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.ConcurrencyLimit;
import dev.hapax.flow.EffectKey;
import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.Kind;
import dev.hapax.flow.NotFound;
import dev.hapax.flow.NotPossible;
import dev.hapax.flow.Reviewed;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SettleDecision;
import dev.hapax.flow.StaleReview;
import dev.hapax.flow.Step;
import dev.hapax.json.Text;
import dev.hapax.run.ErasureRecord;
import dev.hapax.run.KeyHolder;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.store.Change;
import dev.hapax.store.Group;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Head;
import dev.hapax.store.Store;
import dev.hapax.store.StoredRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A person's actions on a run: cancel it, retry it, settle what it cannot settle itself. Each
 * action is durable when its method returns.
 */
public final class RunControl {
  private static final int MOST_TRIES = 100;

  private final Engine engine;
  private final Store store;
  private final Settling settling;

  public RunControl(Engine engine, Store store) {
    this.engine = engine;
    this.store = store;
    this.settling = engine.settling();
  }

  /**
   * Asks the run to end. An attempt in flight or in doubt is settled first; then the effects of the
   * run are undone, if the request says so. A run that is already compensating continues.
   */
  public void cancel(RunId id, Run.Cancel wish) {
    refuseUnstorable(wish.actor(), wish.reason());
    Run now = existing(id);
    long run = now.number();
    refuseErasure(now);
    refuseCompensationOf(now, wish);
    if (now.isQuarantined() && cancelsInQuarantine(now, wish)) {
      return;
    }
    var answer = submit(new Head.NotEnded(run), List.of(new Change.RequestCancel(wish)), null);
    if (!(answer instanceof GroupAnswer.Landed landed)) {
      throw new NotPossible(
          "run %s has ended as %s and cannot be canceled"
              .formatted(id, existing(id).status().word()));
    }
    if (!(landed.answers().getFirst() instanceof Answer.Canceling(var first))) {
      refuseUnlessSaidBefore(existing(id), wish);
      return;
    }
    engine.hearCancel(run);
    if (existing(id).isQuarantined() && !first.compensate()) {
      cancelsInQuarantine(now, wish); // it came there meanwhile, and no pass hears of the cancel
    }
    if (wish.compensate() && !first.compensate()) {
      throw new NotPossible(
          "run %s is already being canceled without compensation, as %s requested"
              .formatted(id, first.actor()));
    }
  }

  private boolean cancelsInQuarantine(Run run, Run.Cancel wish) {
    engine.refuseIfClosed();
    return engine.quarantine().end().cancel(run.number(), wish);
  }

  /** Nothing else would carry out the request. */
  private static void refuseErasure(Run run) {
    if (run.flow().equals(ErasureRecord.FLOW)) {
      throw new NotPossible(
          "run %s carries out a request to erase a person's data, and cannot be canceled"
              .formatted(run.id()));
    }
  }

  /** Only the run's own code knows how to undo what it did. */
  private static void refuseCompensationOf(Run run, Run.Cancel wish) {
    if (run.isQuarantined() && wish.compensate()) {
      throw new NotPossible(
          "run %s is quarantined, so its code cannot undo its effects: resume it first, then cancel it with compensation; or cancel it without"
              .formatted(run.id()));
    }
  }

  /** Lets a quarantined run go on. */
  public void resume(RunId id, String actor, @Nullable String reason) {
    refuseUnstorable(actor, reason);
    long run = existing(id).number();
    engine.refuseIfClosed();
    engine.quarantine().resume(run, actor, reason);
  }

  private static void refuseUnlessSaidBefore(Run run, Run.Cancel wish) {
    if (run.cancel() == null || !wish.compensate()) {
      throw new NotPossible(
          "run %s is compensating: it undoes its effects, and a cancel does not stop it"
              .formatted(run.id()));
    }
  }

  /** Retries what failed, with a corrected input if one is given. */
  public void retry(RunId id, String actor, @Nullable String input) {
    refuseUnstorable(actor, null);
    for (int tries = 0; ; tries++) {
      StoredRun stored = load(id);
      Run run = stored.run();
      refuseForgotten(id);
      refuseErased(run, "retried");
      if (!run.status().canBeRetried()) {
        throw new NotPossible(
            "run %s is %s; only a failed run can be retried%s"
                .formatted(id, run.status().word(), insteadOfRetry(run)));
      }
      boolean compensates = Replay.of(stored.journal()).compensation() != null;
      if (compensates && input != null) {
        throw new NotPossible(
            "run %s continues to undo its effects, and a corrected input would change nothing. Retry it without one"
                .formatted(id));
      }
      var retried = new RunEntry.Retried(actor, input, input == null ? null : run.input());
      var reopen =
          new Change.Reopen(
              input,
              input == null ? null : Fingerprint.of(input),
              timeoutAgain(run),
              input == null ? null : engine.flows().gateOf(run, input),
              input == null ? null : engine.flows().searchOf(run, input));
      if (landed(tries, stored, List.of(retried), reopened(reopen, compensates))) {
        return;
      }
    }
  }

  /** A run without its values cannot continue. */
  static void refuseErased(Run run, String what) {
    if (run.isErased()) {
      throw new NotPossible(
          "the values of run %s were erased for a person, so it cannot be %s. Start another run"
              .formatted(run.id(), what));
    }
  }

  /** Whether the run waits for a person to settle one of its effects. */
  public boolean isInReview(Run run) {
    return StepJournal.isInReview(run, store);
  }

  /** Frees the key of a run that has ended; the ledger keeps its effects. */
  public void forget(RunId id, String actor, String reason) {
    refuseUnstorable(actor, reason);
    for (int tries = 0; ; tries++) {
      KeyHolder holder = store.holder(id);
      if (holder instanceof KeyHolder.Expired expired) {
        var forget = new Change.ForgetKey(expired.number(), actor, reason);
        submit(new Head.Always(), List.of(forget), null);
        return;
      }
      StoredRun stored = load(id);
      if (!stored.run().status().isEnd()) {
        boolean isInReview = stored.run().shownStatus() == RunStatus.REVIEW;
        throw new NotPossible(
            "run %s is %s; only the key of a run that has ended can be forgotten. %s"
                .formatted(
                    id,
                    stored.run().shownStatus().word(),
                    isInReview
                        ? "Settle its effect in review, so that nothing of it stays in doubt; then"
                            + " let it end or cancel it."
                        : "Cancel it first. An effect in doubt settles before the cancel is"
                            + " over."));
      }
      var forget = new Change.ForgetKey(stored.run().number(), actor, reason);
      var forgotten = new RunEntry.KeyForgotten(actor, reason);
      if (landed(tries, stored, List.of(forgotten), List.of(forget))) {
        return;
      }
    }
  }

  /** Settles an effect in review. */
  public void settle(long effect, ReviewDecision said) {
    refuseUnstorable(said.actor(), said.reason());
    for (int tries = 0; ; tries++) {
      long owner = inReview(effect, said.seen()).run();
      StoredRun stored =
          Objects.requireNonNull(store.load(owner), "the run that owns an effect in review");
      // Read after the run: any later change extends the run's journal, and then this group does
      // not land.
      EffectRecord row = inReview(effect, said.seen());
      Run run = stored.run();
      if (said.compensate()) {
        settling.refuseUnlessUndoable(stored, row);
      }
      boolean isAnswered = engine.isAnswered(row);
      var changes = new ArrayList<Change>();
      String output = null;
      String id = said.externalId();
      if (said.decision() == SettleDecision.HAPPENED) {
        Settling.Kept before = settling.kept(stored, row);
        String result = said.result();
        String given = result == null ? "null" : result;
        output =
            before != null && result == null
                ? before.output()
                : engine.values().keep(row.key().tenant(), given, changes::add);
        id = id == null && before != null ? before.externalId() : id;
      }
      var settled =
          new EffectEntry.Settled(
              row.step(), row.revision(), said.decision(), output, id, said.reason(), said.actor());
      List<Change> kept = List.copyOf(changes);
      Change.Effect change = settling.effect(stored, row, settled);
      Change.AfterUndo undone = settling.undone(run, row.step(), change.state());
      changes.add(change);
      if (undone != null) {
        changes.add(undone);
      }
      if (said.compensate()) {
        changes.add(new Change.RequestCancel(said.cancel()));
      }
      Change[] inMemory = changes.toArray(Change[]::new);
      Change beside =
          run.isQuarantined()
              ? engine.quarantine().end().settling(run, change)
              : goOn(run, said.compensate());
      if (beside != null) {
        changes.add(beside);
      }
      if (landed(tries, stored, List.of(settled), changes)
          || engine.writeInMemory(row.run(), settled, inMemory)
          || (engine.isShared()
              && settling.decide(
                  run, row, settled, change, kept, said.compensate() ? said.cancel() : null))) {
        afterSettled(run, said);
        if (isAnswered) {
          engine.hearLate(row);
        }
        return;
      }
    }
  }

  private void afterSettled(Run run, ReviewDecision said) {
    if (run.isQuarantined()) {
      engine.quarantine().end().carryOut(run.number());
    }
    if (said.compensate()) {
      engine.hearCancel(run.number());
      Run now = store.run(run.number());
      Run.Cancel first = now == null ? null : now.cancel();
      if (first != null && !first.compensate()) {
        throw new NotPossible(
            "the effect is settled as happened, but run %s is being canceled without compensation, as %s requested meanwhile. Undo the effect by hand"
                .formatted(run.id(), first.actor()));
      }
    }
  }

  private EffectRecord inReview(long effect, @Nullable Reviewed seen) {
    EffectRecord row = store.effect(effect);
    if (row == null) {
      throw new NotFound("there is no effect " + EffectRecord.id(effect));
    }
    if (seen != null && !seen.isStill(row)) {
      throw new StaleReview(
          "effect %s (%s) has changed since you read it: it is %s, revision %d after %d attempts. Read it again, then decide"
              .formatted(row.id(), row.key(), row.state().word(), row.revision(), row.attempts()));
    }
    if (row.state() != EffectState.REVIEW) {
      String message =
          "effect %s (%s) is %s; only one in review can be settled"
              .formatted(row.id(), row.key(), row.state().word());
      throw seen == null ? new NotPossible(message) : new StaleReview(message);
    }
    return row;
  }

  /** A run that has begun to compensate never goes forward again. */
  private List<Change> reopened(Change.Reopen reopen, boolean compensates) {
    return compensates
        ? List.of(reopen, new Change.Release(RunStatus.COMPENSATING, engine.clock().now()))
        : List.of(reopen);
  }

  /** Records by hand the result of a failed step, and lets the run go on. */
  public void settleStep(
      RunId id, String name, @Nullable String item, String output, String reason, String actor) {
    refuseUnstorable(actor, reason);
    for (int tries = 0; ; tries++) {
      StoredRun stored = load(id);
      refuseForgotten(id);
      Run run = stored.run();
      refuseErased(run, "continued");
      Step asked = new Step(name, item);
      Step step = lastFailed(StepJournal.of(store, stored, asked).replay(), asked);
      StepJournal journal = StepJournal.of(store, stored, step);
      Replay replay = journal.replay();
      StepState.Failed failed = replay.failureOf(step);
      boolean compensates = replay.compensation() != null;
      if (!run.status().canBeRetried() || (compensates && !step.isUndo()) || failed == null) {
        throw new NotPossible(
            "step %s of run %s has not failed (the run is %s); only a failed step of a failed run can be settled by hand. Failed are: %s"
                .formatted(step, id, run.status().word(), failedSteps(replay)));
      }
      if (journal.isRound()) {
        throw new NotPossible(
            "step %s of run %s is a round: its end holds the state for the next round, which cannot be given by hand. Settle the step that failed in the round, or retry the run, with a corrected input if it needs one"
                .formatted(step, id));
      }
      var entries = new ArrayList<JournalEntry>();
      var changes = new ArrayList<Change>();
      String kept = engine.values().keep(run.tenant(), output, changes::add);
      entries.add(new StepEntry.StepSettled(step, kept, reason, actor));
      entries.add(new RunEntry.Retried(actor, null, null));
      changes.addAll(reopened(new Change.Reopen(null, null, timeoutAgain(run)), compensates));
      if (failed.kind() == StepKind.EFFECT) {
        EffectRecord row = failedEffect(run, journal.claim());
        if (row != null) {
          changes.add(
              new Change.Effect(
                  row.number(),
                  row.revision(),
                  EffectState.DONE,
                  row.attempts(),
                  kept,
                  null,
                  "done by hand by %s: %s".formatted(actor, reason),
                  journal.origin()));
        }
      }
      if (step.isUndo()) {
        changes.add(settling.afterUndo(run, step, EffectState.DONE));
      }
      if (landed(tries, stored, entries, changes)) {
        return;
      }
    }
  }

  /**
   * The run is no longer shown as in review, though it may take a moment until it is in memory
   * again.
   */
  private Change goOn(Run run, boolean isToEnd) {
    RunStatus status = run.cancel() == null && !isToEnd ? RunStatus.QUEUED : RunStatus.CANCELING;
    return new Change.Release(
        run.status() == RunStatus.COMPENSATING ? RunStatus.COMPENSATING : status,
        engine.clock().now());
  }

  /** The step in the round that failed; the step itself if none did. */
  private static Step lastFailed(Replay replay, Step asked) {
    Step found = asked;
    for (Step step : replay.failed()) {
      if (step.inRound(1).equals(asked) && step.roundNumber() > found.roundNumber()) {
        found = step;
      }
    }
    return found;
  }

  /** Otherwise two runs would work under one key. A later forget writes to the same journal. */
  void refuseForgotten(RunId id) {
    KeyHolder holder = store.holder(id);
    if (holder != null && holder.isForgotten()) {
      throw new NotPossible(
          "the key of run %s was forgotten: start the flow again instead".formatted(id));
    }
  }

  private @Nullable EffectRecord failedEffect(Run run, EffectEntry.@Nullable Claimed claim) {
    EffectRecord row = claim == null ? null : ledgerRow(run, claim);
    boolean isOurs = row != null && row.run() == run.number() && isSettledWithoutResult(row);
    return isOurs ? row : null;
  }

  private @Nullable EffectRecord ledgerRow(Run run, EffectEntry.Claimed claim) {
    RunId additive = claim.kind() == Kind.ADDITIVE ? run.id() : null;
    return store.effect(new EffectKey(run.tenant(), claim.name(), claim.key(), additive));
  }

  private static boolean isSettledWithoutResult(EffectRecord row) {
    return row.state() == EffectState.FAILED || row.state() == EffectState.ABANDONED;
  }

  static void refuseUnstorable(String actor, @Nullable String reason) {
    if (!Text.isStorable(actor) || (reason != null && !Text.isStorable(reason))) {
      throw new IllegalArgumentException(
          "actor and reason: expected at most 10,000 characters without NUL and lone surrogates");
    }
  }

  /** A run that goes on after a failure gets its flow's whole timeout again. */
  @Nullable Instant timeoutAgain(Run run) {
    Instant until = run.timeoutAt();
    if (until == null) {
      return null;
    }
    Duration timeout = engine.flows().timeoutOf(run);
    return engine
        .clock()
        .now()
        .plus(timeout != null ? timeout : Duration.between(run.createdAt(), until));
  }

  private static String insteadOfRetry(Run run) {
    return switch (run.status()) {
      case REVIEW ->
          run.isQuarantined() ? ": resume it, or cancel it" : ": settle its effect in review";
      case SUCCEEDED -> ": its result is final";
      case COMPENSATED -> ": its effects are undone. Start it under another key";
      default -> run.status().isEnd() ? "" : ": it continues by itself";
    };
  }

  private static List<String> failedSteps(Replay replay) {
    return replay.failed().stream()
        .filter(step -> step.isUndo() || replay.compensation() == null)
        .map(Step::toString)
        .toList();
  }

  boolean landed(int tries, StoredRun stored, List<JournalEntry> entries, List<Change> changes) {
    if (tries > MOST_TRIES) {
      throw new NotPossible(
          "run %s keeps changing. Read it again and repeat the call".formatted(stored.run().id()));
    }
    if (engine.waitsForCode(stored.run())) {
      throw new NotPossible(
          "run %s waits for the code of flow '%s' release %d. Register it first."
              .formatted(stored.run().id(), stored.run().flow(), stored.run().release()));
    }
    long run = stored.run().number();
    Head head =
        stored.run().isQuarantined()
            ? new Head.Owned(run, Run.QUARANTINE, stored.seq())
            : new Head.Unowned(run, stored.seq());
    return switch (submit(head, changes, JournalRow.write(entries))) {
      case GroupAnswer.Landed _ -> true;
      case GroupAnswer.Lost _ -> false; // another writer was faster: look again
      case GroupAnswer.Busy(var holder) -> throw new ConcurrencyLimit(stored.run().flow(), holder);
      case GroupAnswer.Exists _,
          GroupAnswer.Queued _,
          GroupAnswer.Expired _,
          GroupAnswer.Blocked _,
          GroupAnswer.NoSpace _ ->
          throw new IllegalStateException("nothing was inserted");
      case GroupAnswer.Refused(var problem) ->
          throw new IllegalArgumentException("the store refused this: " + problem);
    };
  }

  private GroupAnswer submit(Head head, List<Change> changes, @Nullable String entries) {
    engine.refuseIfClosed();
    var group = new Group(engine.ids().next(), engine.clock().now(), head, changes, entries);
    return engine.committer().commit(group);
  }

  StoredRun load(RunId id) {
    StoredRun stored = store.load(existing(id).number());
    if (stored == null) {
      throw new NotFound("there is no run " + id);
    }
    return stored;
  }

  private Run existing(RunId id) {
    Run run = store.find(id);
    if (run == null) {
      throw new NotFound("there is no run " + id);
    }
    return run;
  }
}
