package dev.hapax.engine.replay;

import dev.hapax.effect.EffectConflict;
import dev.hapax.effect.EffectProgress;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;

/** Reads the entries about effects from a journal: how far each of them is. */
final class EffectReplay {
  private final Map<Step, StepState> steps;
  private final WaitBook waits;
  private final EffectOutcomes outcomes;
  private final Undoables undoables;
  private final Unvisited unvisited;
  private final ReplayBook replays;

  /**
   * @param steps the steps of the whole journal, to which the effects are added
   */
  EffectReplay(
      Map<Step, StepState> steps,
      WaitBook waits,
      EffectOutcomes outcomes,
      Undoables undoables,
      Unvisited unvisited,
      ReplayBook replays) {
    this.steps = steps;
    this.replays = replays;
    this.waits = waits;
    this.outcomes = outcomes;
    this.undoables = undoables;
    this.unvisited = unvisited;
  }

  void read(EffectEntry entry, Iterator<Answer> answers, Instant at) {
    outcomes.note(entry);
    replays.note(entry);
    switch (entry) {
      case EffectEntry.Claimed claim -> readClaim(claim, answers, at);
      case EffectEntry.Attempted(var step, _, int attempt) -> {
        if (!(answers.hasNext() && answers.next() instanceof ClaimAnswer.Refused)) {
          attempted(step, attempt);
        }
      }
      case EffectEntry.SentAgain(var step, _, int attempt) -> attempted(step, attempt);
      case EffectEntry.NotApplied(var step, _, _, _, var retryAt) ->
          open(step, progressOf(step).notApplied(retryAt));
      case EffectEntry.InDoubt doubt -> open(doubt.step(), inDoubt(doubt));
      case EffectEntry.ProvenAbsent(var step, _, _, _) -> open(step, progressOf(step).absent(at));
      case EffectEntry.InReview(var step, _, _, _) -> open(step, progressOf(step).toReview());
      case EffectEntry.Settled settled -> readSettled(settled, at);
      case EffectEntry.SettledTooLate _ -> {} // the effect's own answer counts
      case EffectEntry.AnsweredLate _ -> {} // the person's decision counts
      case EffectEntry.EffectDone done -> readDone(done);
      case EffectEntry.EffectFailed(var step, _, _, var error, _) ->
          steps.put(step, new StepState.Failed(StepKind.EFFECT, error));
      case EffectEntry.Skipped(var step, _, _, _) ->
          steps.put(step, StepState.done(StepKind.EFFECT, null));
      case EffectEntry.LeftBehind left -> unvisited.toldLeftBehind(left);
    }
  }

  private void readClaim(EffectEntry.Claimed claim, Iterator<Answer> answers, Instant at) {
    Step step = claim.step();
    ClaimAnswer answer =
        answers.hasNext()
            ? (ClaimAnswer) answers.next()
            : new ClaimAnswer.Granted(claim.effect(), 1);
    waits.note(claim, answer);
    outcomes.note(claim.step(), answer);
    replays.note(claim, answer);
    switch (answer) {
      case ClaimAnswer.Granted(long effect, int revision) -> {
        unvisited.granted(claim, effect);
        open(step, EffectProgress.granted(claim, effect, revision, at));
        undoables.claimed(claim, effect, revision);
      }
      case ClaimAnswer.Reused reused -> {
        unvisited.answered(claim);
        steps.put(step, StepState.done(StepKind.EFFECT, reused.output()));
        undoables.notClaimed(step);
      }
      case ClaimAnswer.Conflict conflict -> {
        unvisited.answered(claim);
        steps.put(
            step, new StepState.Failed(StepKind.EFFECT, EffectConflict.failure(claim, conflict)));
        undoables.notClaimed(step);
      }
      case ClaimAnswer.Expired expired -> {
        unvisited.answered(claim);
        steps.put(
            step, new StepState.Failed(StepKind.EFFECT, EffectConflict.failure(claim, expired)));
        undoables.notClaimed(step);
      }
      case ClaimAnswer.ResultErased erased -> {
        unvisited.answered(claim);
        steps.put(
            step, new StepState.Failed(StepKind.EFFECT, EffectConflict.failure(claim, erased)));
        undoables.notClaimed(step);
      }
      case ClaimAnswer.Abandoned(long effect, int revision, int attempts) -> {
        unvisited.granted(claim, effect);
        open(step, EffectProgress.abandoned(claim, effect, revision, attempts, at));
        undoables.takenOver(claim, effect, revision);
      }
      case ClaimAnswer.ReviewFirst(long effect, int revision, _) ->
          open(step, EffectProgress.abandoned(claim, effect, revision, 0, at));
      case ClaimAnswer.Overtaken _ -> steps.put(step, StepState.done(StepKind.EFFECT, null));
      case ClaimAnswer.ReviewRework review -> {
        unvisited.granted(claim, review.effect());
        open(step, EffectProgress.reworked(claim, review, at));
        undoables.notClaimed(step);
      }
      case ClaimAnswer.UndoFirst undo -> {
        unvisited.answered(claim);
        steps.put(step, new StepState.Revising(undo));
        undoables.notClaimed(step);
      }
      case ClaimAnswer.Held _,
          ClaimAnswer.NotPlanned _,
          ClaimAnswer.Refused _ -> {} // claimed again
    }
  }

  private void attempted(Step step, int attempt) {
    open(step, progressOf(step).attempted(attempt));
    undoables.sent(step);
  }

  private EffectProgress inDoubt(EffectEntry.InDoubt doubt) {
    EffectProgress progress = progressOf(doubt.step());
    boolean tellsNothing = Boolean.TRUE.equals(doubt.repeatTellsNothing());
    Instant since = doubt.sentSince();
    EffectProgress sent = since == null ? progress : progress.sentSince(since);
    return (tellsNothing ? sent.repeatTellsNothing() : sent).inDoubt(doubt.retryAt());
  }

  private void readDone(EffectEntry.EffectDone done) {
    steps.put(done.step(), StepState.done(StepKind.EFFECT, done.output()));
    undoables.done(done.step(), done.output(), EffectOutcomes.isFound(done));
    unvisited.done(done.step());
  }

  private void readSettled(EffectEntry.Settled settled, Instant at) {
    Step step = settled.step();
    switch (settled.decision()) {
      case HAPPENED -> {
        steps.put(step, StepState.done(StepKind.EFFECT, settled.output()));
        undoables.done(step, settled.output(), false);
        unvisited.done(step);
      }
      case NOT_HAPPENED -> notHappened(step, at);
      case ABANDON -> steps.put(step, abandoned(settled));
    }
  }

  /** What was done before its content changed is not there; the new content is claimed again. */
  private void notHappened(Step step, Instant at) {
    EffectProgress progress = progressOf(step);
    if (progress.kept() == null) {
      open(step, progress.notHappened(at));
    } else {
      undoables.absent(progress.effect(), progress.revision());
      steps.remove(step);
    }
  }

  /** An undo that is given up leaves its effect done, and nothing more follows. */
  private static StepState abandoned(EffectEntry.Settled settled) {
    if (settled.step().isUndo()) {
      return StepState.done(StepKind.EFFECT, null);
    }
    Failure failure =
        Failure.of(
                "effect-abandoned",
                "%s abandoned the effect: %s".formatted(settled.actor(), settled.reason()),
                false)
            .at(settled.step());
    return new StepState.Failed(StepKind.EFFECT, failure);
  }

  private EffectProgress progressOf(Step step) {
    if (steps.get(step) instanceof StepState.Open(var progress)) {
      return progress;
    }
    throw new IllegalStateException(
        "the journal has an attempt of " + step + " that was never claimed");
  }

  private void open(Step step, EffectProgress progress) {
    steps.put(step, new StepState.Open(progress));
  }
}
