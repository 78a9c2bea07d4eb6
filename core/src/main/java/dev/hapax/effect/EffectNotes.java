package dev.hapax.effect;

import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.flow.StepFailed;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.journal.JournalEntry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes the progress of an effect to the journal of its run and to the ledger. */
final class EffectNotes {
  private final EffectStep step;
  private final RunPort run;
  private final OpenAttempts open;
  private final EffectIntent intent;
  private final LateAnswers late;

  EffectNotes(EffectIntent intent, RunPort run, OpenAttempts open, LateAnswers late) {
    this.late = late;
    this.step = intent.step();
    this.run = run;
    this.open = open;
    this.intent = intent;
  }

  String done(EffectProgress progress, String output, String decision) {
    open.forget(progress.effect());
    String kept = run.keep(output);
    String externalId = step.externalId(output);
    settle(
        new EffectEntry.EffectDone(
            step.step(), progress.revision(), progress.attempt(), kept, externalId, decision),
        effect(progress, EffectState.DONE).result(kept).externalId(externalId));
    return output;
  }

  void notApplied(EffectProgress progress, String evidence, Instant next) {
    open.forgetIfOver(progress.effect());
    run.add(
        new EffectEntry.NotApplied(
            step.step(), progress.revision(), progress.attempt(), evidence, next));
  }

  /** Ends the effect; nothing happened. */
  StepFailed giveUp(EffectProgress progress, Failure failure) {
    open.forget(progress.effect());
    Failure here = failure.at(step.step());
    settle(
        new EffectEntry.EffectFailed(step.step(), progress.revision(), progress.attempt(), here),
        effect(progress, EffectState.FAILED).evidence(failure.message()));
    return failed(here);
  }

  /**
   * Ends the effect, though it may have happened, because every attempt would end like this. A
   * later claim of it goes to a person, so that it is never sent twice on our own decision.
   */
  StepFailed giveUpUnknown(EffectProgress progress, Failure failure) {
    open.forget(progress.effect());
    Failure here = failure.at(step.step());
    settle(
        new EffectEntry.EffectFailed(
            step.step(), progress.revision(), progress.attempt(), here, true),
        effect(progress, EffectState.ABANDONED).evidence(failure.message()));
    return failed(here);
  }

  /** Gives the effect up in doubt, as the flow explicitly allows; its output is null. */
  @Nullable String skip(EffectProgress progress, String evidence) {
    open.forget(progress.effect());
    settle(
        new EffectEntry.Skipped(step.step(), progress.revision(), progress.attempt(), evidence),
        effect(progress, EffectState.ABANDONED).evidence(evidence));
    return null;
  }

  /** Adds the intent of an attempt that settles a doubt. */
  void sentAgain(EffectProgress progress, int attempt) {
    run.add(
        new EffectEntry.SentAgain(step.step(), progress.revision(), attempt),
        effect(progress, EffectState.DOUBT).attempt(attempt).change());
  }

  /**
   * @param sentSince not before this time, if an attempt is lost; null if all are on record
   */
  void doubt(
      EffectProgress progress,
      String evidence,
      String decision,
      @Nullable Instant next,
      @Nullable Instant sentSince) {
    run.add(
        new EffectEntry.InDoubt(
            step.step(),
            progress.revision(),
            progress.attempt(),
            evidence,
            decision,
            next,
            progress.repeatTells() ? null : true,
            sentSince),
        effect(progress, EffectState.DOUBT).evidence(evidence).change());
  }

  void absent(EffectProgress progress, String evidence) {
    run.add(
        new EffectEntry.ProvenAbsent(
            step.step(), progress.revision(), progress.attempt(), evidence),
        effect(progress, EffectState.PENDING).change());
  }

  Unwind review(EffectProgress progress, String evidence) {
    open.forgetIfOver(progress.effect());
    run.add(
        new EffectEntry.InReview(step.step(), progress.revision(), progress.attempt(), evidence),
        effect(progress, EffectState.REVIEW).evidence(evidence).change());
    return stayInReview(progress);
  }

  /** Waits until a person has decided, or an attempt that is still under way reports success. */
  Unwind stayInReview(EffectProgress progress) {
    long number = run.identity().run();
    Unwind parked = run.park(RunStatus.REVIEW, null);
    open.whenLate(
        progress.effect(), progress.revision(), done -> late.heard(answer(progress, done)));
    open.whenAnswered(progress.effect(), progress.revision(), () -> late.wake(number));
    return parked;
  }

  private LateAnswer answer(EffectProgress progress, AnswerMeaning.Done done) {
    return new LateAnswer(
        run.identity().run(),
        progress.effect(),
        step.step(),
        progress.revision(),
        step.externalId(done.output()));
  }

  StepFailed failed(Failure failure) {
    Step at = step.step();
    return new StepFailed(
        failure.code(), failure.message(), at.name(), at.item(), failure.retryable());
  }

  /** Ends the effect. The end of an undo also ends what it undoes, in the same commit. */
  private void settle(JournalEntry entry, EffectChange end) {
    var undoing = step.undoing();
    if (undoing == null) {
      run.add(entry, end.change());
    } else {
      run.add(entry, end.change(), undoing.after(end.state()));
    }
  }

  private EffectChange effect(EffectProgress progress, EffectState state) {
    return new EffectChange(progress, state, state == EffectState.DONE ? intent.origin() : null);
  }
}
