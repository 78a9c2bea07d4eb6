package dev.hapax.run.retention;

import dev.hapax.flow.Erased;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Step;
import dev.hapax.run.Gate;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.journal.JournalRow;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.ReplayTerms;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import dev.hapax.run.journal.WaitEntry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a run whose values are erased: what happened and when stays, without any value
 * that came from an input, an answer or a person's text. Entries that are erased already stay the
 * same. Pure, and called by every store inside its transaction.
 */
public final class ErasedJournal {
  private final long run;
  private final ErasedAnswers answers;
  private final boolean externalIds;

  /**
   * @param externalIds whether the destinations' ids are erased too
   */
  public ErasedJournal(long run, boolean externalIds) {
    this.run = run;
    this.externalIds = externalIds;
    this.answers = new ErasedAnswers(run, externalIds);
  }

  public JournalRow row(JournalRow row) {
    String stored = row.answers();
    return new JournalRow(
        row.run(),
        row.seq(),
        row.op(),
        row.at(),
        JournalRow.write(row.readEntries().stream().map(this::entry).toList()),
        stored == null
            ? null
            : JournalRow.writeAnswers(row.readAnswers().stream().map(answers::answer).toList()),
        Erased.item(run, row.item()));
  }

  JournalEntry entry(JournalEntry entry) {
    return switch (entry) {
      case StepEntry e -> step(e);
      case EffectEntry e -> effect(e);
      case LoopEntry e -> loop(e);
      case WaitEntry e -> wait(e);
      case CallEntry e -> call(e);
      case LockEntry e -> lock(e);
      case RunEntry e -> run(e);
    };
  }

  private StepEntry step(StepEntry entry) {
    return switch (entry) {
      case StepEntry.StepDone e -> new StepEntry.StepDone(at(e.step()), Erased.json(e.output()));
      case StepEntry.Branched e -> new StepEntry.Branched(at(e.step()), e.branch());
      case StepEntry.StepFailed e -> new StepEntry.StepFailed(at(e.step()), failure(e.error()));
      case StepEntry.ReadFailed e ->
          new StepEntry.ReadFailed(at(e.step()), e.attempt(), Erased.TEXT, e.retryAt());
      case StepEntry.StepSettled e ->
          new StepEntry.StepSettled(at(e.step()), Erased.json(e.output()), Erased.TEXT, e.actor());
      case StepEntry.Published e ->
          new StepEntry.Published(at(e.step()), Erased.TEXT, e.destination(), e.delivery());
      case StepEntry.KvAsked e ->
          new StepEntry.KvAsked(at(e.step()), e.action(), Erased.TEXT, Erased.json(e.value()));
    };
  }

  private EffectEntry effect(EffectEntry entry) {
    return switch (entry) {
      case EffectEntry.Claimed e ->
          new EffectEntry.Claimed(
              at(e.step()),
              e.effect(),
              e.name(),
              Erased.TEXT,
              e.kind(),
              e.guard(),
              e.origin(),
              e.undoable(),
              Erased.item(run, e.branch()));
      case EffectEntry.Attempted e ->
          new EffectEntry.Attempted(at(e.step()), e.revision(), e.attempt());
      case EffectEntry.SentAgain e ->
          new EffectEntry.SentAgain(at(e.step()), e.revision(), e.attempt());
      case EffectEntry.NotApplied e ->
          new EffectEntry.NotApplied(
              at(e.step()), e.revision(), e.attempt(), Erased.TEXT, e.retryAt());
      case EffectEntry.InDoubt e ->
          new EffectEntry.InDoubt(
              at(e.step()),
              e.revision(),
              e.attempt(),
              Erased.TEXT,
              Erased.TEXT,
              e.retryAt(),
              e.repeatTellsNothing(),
              e.sentSince());
      case EffectEntry.ProvenAbsent e ->
          new EffectEntry.ProvenAbsent(at(e.step()), e.revision(), e.attempt(), Erased.TEXT);
      case EffectEntry.InReview e ->
          new EffectEntry.InReview(at(e.step()), e.revision(), e.attempt(), Erased.TEXT);
      case EffectEntry.Settled e ->
          new EffectEntry.Settled(
              at(e.step()),
              e.revision(),
              e.decision(),
              Erased.json(e.output()),
              id(e.externalId()),
              Erased.TEXT,
              e.actor());
      case EffectEntry.SettledTooLate e ->
          new EffectEntry.SettledTooLate(
              at(e.step()), e.revision(), e.decision(), Erased.TEXT, e.actor());
      case EffectEntry.AnsweredLate e ->
          new EffectEntry.AnsweredLate(
              at(e.step()), e.revision(), e.decision(), e.actor(), id(e.externalId()), e.effect());
      case EffectEntry.EffectDone e ->
          new EffectEntry.EffectDone(
              at(e.step()),
              e.revision(),
              e.attempt(),
              Erased.json(e.output()),
              id(e.externalId()),
              Erased.TEXT);
      case EffectEntry.EffectFailed e ->
          new EffectEntry.EffectFailed(
              at(e.step()), e.revision(), e.attempt(), failure(e.error()), e.givenUp());
      case EffectEntry.Skipped e ->
          new EffectEntry.Skipped(at(e.step()), e.revision(), e.attempt(), Erased.TEXT);
      case EffectEntry.LeftBehind e ->
          new EffectEntry.LeftBehind(at(e.step()), e.effect(), e.name(), Erased.TEXT);
    };
  }

  private LoopEntry loop(LoopEntry entry) {
    return switch (entry) {
      case LoopEntry.LoopStarted e ->
          new LoopEntry.LoopStarted(at(e.step()), e.items(), e.rounds(), e.ended());
      case LoopEntry.ItemEnded e ->
          new LoopEntry.ItemEnded(
              at(e.step()), Erased.failure(run, e.error()), Erased.json(e.output()));
      case LoopEntry.LoopEnded e ->
          new LoopEntry.LoopEnded(
              at(e.step()),
              e.succeeded(),
              e.failed(),
              e.failures().stream().map(this::failure).toList(),
              Erased.json(e.results()));
    };
  }

  private WaitEntry wait(WaitEntry entry) {
    return switch (entry) {
      case WaitEntry.WaitStarted e -> new WaitEntry.WaitStarted(at(e.step()), e.until());
      case WaitEntry.WaitEnded e -> new WaitEntry.WaitEnded(at(e.step()));
      case WaitEntry.CallbackOpened e ->
          new WaitEntry.CallbackOpened(at(e.step()), e.number(), e.key());
      case WaitEntry.CallbackAwaited e ->
          new WaitEntry.CallbackAwaited(at(e.step()), e.number(), e.expiresAt(), e.key());
      case WaitEntry.ApprovalLinked e ->
          new WaitEntry.ApprovalLinked(
              at(e.step()), e.number(), Erased.text(e.approver()), e.key());
      case WaitEntry.ApprovalAsked e ->
          new WaitEntry.ApprovalAsked(
              at(e.step()),
              e.number(),
              Erased.TEXT,
              e.roles(),
              e.expiresAt(),
              e.failsIfRejected(),
              e.deciders());
      case WaitEntry.WaitSettled e ->
          new WaitEntry.WaitSettled(
              at(e.step()),
              e.number(),
              e.state(),
              Erased.decision(e.decision()),
              Erased.by(e.decision(), e.by()),
              e.settledAt());
    };
  }

  private CallEntry call(CallEntry entry) {
    return switch (entry) {
      case CallEntry.Called e ->
          new CallEntry.Called(at(e.step()), e.flow(), e.release(), Erased.TEXT, e.child());
      case CallEntry.CallAwaited e -> new CallEntry.CallAwaited(at(e.step()), e.child());
      case CallEntry.CallRetried e -> new CallEntry.CallRetried(at(e.step()), e.child());
      case CallEntry.CallStopped e -> new CallEntry.CallStopped(at(e.step()), e.child());
      case CallEntry.CallFailed e -> new CallEntry.CallFailed(at(e.step()), failure(e.error()));
      case CallEntry.SpawnedRun e ->
          new CallEntry.SpawnedRun(
              at(e.step()), e.flow(), e.release(), Erased.TEXT, e.child(), e.anyInput());
    };
  }

  private LockEntry lock(LockEntry entry) {
    return switch (entry) {
      case LockEntry.LockAsked e -> new LockEntry.LockAsked(at(e.step()), Erased.TEXT);
      case LockEntry.LockReleased e ->
          new LockEntry.LockReleased(at(e.step()), Erased.TEXT, e.fence());
    };
  }

  private RunEntry run(RunEntry entry) {
    return switch (entry) {
      case RunEntry.Alerted e -> new RunEntry.Alerted(e.alert(), Erased.TEXT, e.delivery());
      case RunEntry.Notified e ->
          new RunEntry.Notified(at(e.step()), Erased.TEXT, e.destination(), e.delivery());
      case RunEntry.Retried e ->
          new RunEntry.Retried(e.actor(), Erased.json(e.input()), Erased.json(e.previousInput()));
      case RunEntry.Replayed e ->
          new RunEntry.Replayed(
              e.actor(),
              Erased.text(e.reason()),
              e.release(),
              e.previousRelease(),
              Erased.json(e.input()),
              Erased.json(e.previousInput()),
              terms(e.terms()));
      case RunEntry.CancelRequested e ->
          new RunEntry.CancelRequested(e.actor(), Erased.text(e.reason()));
      case RunEntry.CompensationStarted e -> new RunEntry.CompensationStarted(failure(e.cause()));
      case RunEntry.Ended e ->
          new RunEntry.Ended(e.status(), Erased.json(e.output()), Erased.failure(run, e.error()));
      case RunEntry.KeyForgotten e -> new RunEntry.KeyForgotten(e.actor(), Erased.TEXT);
      case RunEntry.Queued e -> new RunEntry.Queued(gate(e.gate()));
      case RunEntry.TurnAwaited(var step, var _, var until) ->
          new RunEntry.TurnAwaited(step == null ? null : at(step), Erased.TEXT, until);
      case RunEntry.Quarantined _ -> new RunEntry.Quarantined(Erased.TEXT);
      case RunEntry.Resumed e -> new RunEntry.Resumed(e.actor(), Erased.text(e.reason()));
      case RunEntry.ValuesErased _,
          RunEntry.TimedOut _,
          RunEntry.SlotGranted _,
          RunEntry.CodeMissing _,
          RunEntry.Occurred _,
          RunEntry.TriedNow _ ->
          entry;
    };
  }

  private Gate gate(Gate gate) {
    return new Gate(Erased.text(gate.key()), gate.limit(), gate.overflow());
  }

  private ReplayTerms terms(ReplayTerms terms) {
    Step from = terms.from();
    return new ReplayTerms(
        from == null ? null : at(from),
        terms.after(),
        terms.within().stream().map(this::at).toList(),
        terms.outputs().stream()
            .map(one -> new ReplayTerms.Corrected(at(one.step()), Erased.JSON))
            .toList(),
        terms.ask().stream().map(this::at).toList(),
        terms.force().stream()
            .map(
                one -> new ReplayTerms.Forced(one.name(), Erased.TEXT, one.revision(), Erased.TEXT))
            .toList(),
        List.of());
  }

  private Step at(Step step) {
    return Erased.step(run, step);
  }

  private Failure failure(Failure failure) {
    return Objects.requireNonNull(Erased.failure(run, failure));
  }

  private @Nullable String id(@Nullable String externalId) {
    return externalIds ? null : externalId;
  }
}
