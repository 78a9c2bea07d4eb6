package dev.hapax.effect;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.Failover;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Guard;
import dev.hapax.flow.Kind;
import dev.hapax.flow.RunStatus;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.run.ledger.ReplayClaim;
import dev.hapax.store.Change;
import dev.hapax.store.Store;
import dev.hapax.time.Clock;
import dev.hapax.time.IdSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes one effect, from claim to settlement. The intent of every attempt is durable before its
 * first byte leaves. A crash in between leaves an attempt in flight, and the guard's rule settles
 * it; the reverse order would lose the only trace of a charge that was sent.
 */
final class EffectExecution {
  static final Duration UNTIL_STORE_ANSWERS = Duration.ofSeconds(1);

  private final Store store;
  private final Clock clock;
  private final IdSource ids;
  private final EffectStep step;
  private final RunPort run;
  private final EffectIntent intent;
  private final RetrySchedule schedule;
  private final EffectNotes notes;
  private final Access access;
  private final OutsideCalls outside;
  private final DoubtResolution doubt;
  private final Failovers failovers;
  private final OpenAttempts open;
  private @Nullable Boolean isAnswered;

  EffectExecution(EffectLedger.Parts parts, EffectStep step, RunPort run) {
    this.store = parts.store();
    this.clock = parts.clock();
    this.ids = parts.ids();
    this.step = step;
    this.run = run;
    this.intent = new EffectIntent(step, run.identity());
    this.schedule = new RetrySchedule(step.effect().terms().retry(), parts.random());
    this.notes = new EffectNotes(intent, run, parts.open(), parts.late());
    this.access = parts.access(step.effect().terms(), step.step(), calls(), run);
    this.outside = new OutsideCalls(parts, intent, access);
    this.doubt = new DoubtResolution(this, parts, step, run);
    this.failovers = parts.failovers();
    this.open = parts.open();
  }

  /** How many calls it makes before it is settled: it may look up before it sends. */
  private int calls() {
    return step.guard().lookupBeforeSending() == null ? 1 : 2;
  }

  RetrySchedule schedule() {
    return schedule;
  }

  EffectNotes notes() {
    return notes;
  }

  OutsideCalls outside() {
    return outside;
  }

  Access access() {
    return access;
  }

  @Nullable String follow(@Nullable EffectProgress found) {
    try {
      return found == null ? claim() : goOn(found);
    } finally {
      access.leave(); // in every case
    }
  }

  private @Nullable String claim() {
    ClaimAnswer.NotPlanned refused = run.refusedByPlan(step.step());
    if (refused != null) {
      throw planStale(refused); // the process died before the run could end
    }
    boolean hasTurn = access.await(() -> run.isStopping() || isAnsweredByLedger());
    if (!hasTurn && run.isStopping()) {
      throw run.stop();
    }
    Instant now = clock.now();
    long number = ids.next();
    EffectEntry.Claimed entry = intent.entry(number, run.branch());
    return switch ((ClaimAnswer) run.ask(entry, intent.question(number, now, replay()))) {
      case ClaimAnswer.Granted granted -> {
        access.goAnyway(); // the row that answered a moment ago may be gone
        yield sendFirst(EffectProgress.granted(entry, granted.effect(), granted.revision(), now));
      }
      case ClaimAnswer.Reused reused -> reused.output();
      case ClaimAnswer.Held held
          when held.byRun().equals(run.identity().id().toString()) && !run.isBesideOthers() ->
          throw run.mismatch(
              step.step(),
              "its journal holds effect %s under way in another step than %s"
                  .formatted(intent.key(), step.step()));
      case ClaimAnswer.Held _ -> throw run.park(RunStatus.WAITING, null);
      case ClaimAnswer.Conflict conflict ->
          throw notes.failed(EffectConflict.failure(entry, conflict));
      case ClaimAnswer.Expired expired ->
          throw notes.failed(EffectConflict.failure(entry, expired));
      case ClaimAnswer.ResultErased erased ->
          throw notes.failed(EffectConflict.failure(entry, erased));
      case ClaimAnswer.Abandoned abandoned -> {
        var progress =
            EffectProgress.abandoned(
                entry, abandoned.effect(), abandoned.revision(), abandoned.attempts(), now);
        throw notes.review(progress, "an earlier run abandoned it in doubt; it may have happened");
      }
      case ClaimAnswer.ReviewFirst _ -> throw run.park(RunStatus.REVIEW, null);
      case ClaimAnswer.Overtaken _ -> null;
      case ClaimAnswer.ReviewRework review ->
          throw notes.stayInReview(EffectProgress.reworked(entry, review, now));
      case ClaimAnswer.UndoFirst undo -> throw new UndoneFirst(undo);
      case ClaimAnswer.NotPlanned stale -> throw planStale(stale);
      case ClaimAnswer.Refused _ -> throw lookAgain();
    };
  }

  private Unwind planStale(ClaimAnswer.NotPlanned stale) {
    return run.planStale(step.step(), stale.of(intent.key().toString()));
  }

  private @Nullable ReplayClaim replay() {
    return run.replay(step.step(), intent.key().name(), intent.key().key());
  }

  /**
   * Whether the ledger will answer the claim, so that nothing is sent and no turn is needed. A
   * rerun of work that is done is therefore not slowed down by limits.
   */
  private boolean isAnsweredByLedger() {
    if (isAnswered == null) {
      EffectRecord row = step.undoing() == null ? store.effect(intent.key()) : null;
      isAnswered = row != null && !isToBeSentOver(row);
    }
    return isAnswered;
  }

  private boolean isToBeSentOver(EffectRecord row) {
    return switch (row.state()) {
      case PENDING, DOUBT, REVIEW, UNDOING, ABANDONED -> false;
      case FAILED, UNDONE -> true;
      case DONE ->
          isForced()
              || (row.isImported()
                  ? step.effect().kind() == Kind.UPDATE
                  : row.kind() == Kind.UPDATE
                      && !Objects.equals(row.fingerprint(), intent.fingerprint()));
    };
  }

  private boolean isForced() {
    ReplayClaim replay = replay();
    return replay != null && replay.forced() != null;
  }

  /**
   * Continues where the journal left off: the process died, the run was woken, or a person has
   * settled it.
   */
  private @Nullable String goOn(EffectProgress progress) {
    if (progress.inReview()) {
      var late = open.answered(progress.effect(), progress.revision());
      if (late != null && run.settlesByAnswer(step.step())) {
        return notes.done(progress, late.output(), "answered late");
      }
      throw notes.stayInReview(progress);
    }
    Failover lost = failovers.before(run);
    if (progress.inFlight()) {
      String evidence =
          "the %s while attempt %d was in flight"
              .formatted(
                  open.of(progress.effect()) == null ? "process ended" : "engine was closed",
                  progress.attempt());
      return lost == null || progress.attempt() > 1
          ? doubt.begin(progress, evidence, null)
          : doubt.beginLost(progress, evidence, lost);
    }
    if (progress.ambiguous()) {
      if (lost != null) {
        open.mayHaveBeenSentAgain(progress.effect(), failovers.count());
      }
      return doubt.settle(progress);
    }
    if (lost != null && progress.firstSentAt().isBefore(lost.notedAt())) {
      return doubt.beginLost(progress, lost.evidence(), lost); // the next attempt may be lost
    }
    if (run.isStopping()) {
      throw notes.giveUp(progress, stoppedWhileBackingOff());
    }
    return attemptAgain(progress);
  }

  /**
   * Sends an effect that the ledger did not know. After a failover that proves nothing: the intent
   * may be lost although the effect was sent.
   */
  private @Nullable String sendFirst(EffectProgress progress) {
    Failover lost = failovers.before(run);
    if (lost == null) {
      return checkAndSend(progress);
    }
    access.leave();
    return doubt.beginLost(progress, lost.evidence(), lost);
  }

  private @Nullable String checkAndSend(EffectProgress progress) {
    Guard.Lookup lookup = step.guard().lookupBeforeSending();
    if (lookup != null) {
      switch (outside.lookUp(lookup, progress)) {
        case AnswerMeaning.Done done -> {
          return notes.done(progress, done.output(), EffectEntry.EffectDone.FOUND_BEFORE_SENDING);
        }
        case AnswerMeaning.Ambiguous unreadable -> {
          access.leave();
          return notApplied(
              progress,
              "the lookup before sending failed: " + unreadable.evidence(),
              unreadable.retryAfter());
        }
        case AnswerMeaning.NotCalled why -> {
          access.leave();
          return notCalled(progress, why);
        }
        default -> {}
      }
    }
    return send(progress);
  }

  @Nullable String attemptAgain(EffectProgress progress) {
    waitUntil(progress.retryAt());
    if (!access.await(run::isStopping)) {
      throw notes.giveUp(progress, stoppedWhileBackingOff());
    }
    outside.readRequest(progress);
    int next = progress.attempt() + 1;
    var entry = new EffectEntry.Attempted(step.step(), progress.revision(), next);
    var attempt =
        new Change.Attempt(progress.effect(), progress.revision(), next, step.undoing() != null);
    if (run.ask(entry, attempt) instanceof ClaimAnswer.Refused) {
      notes.giveUp(
          progress, Failure.of("canceled", "the run was canceled before the next attempt", true));
      throw lookAgain();
    }
    return checkAndSend(progress.attempted(next));
  }

  /** The run is to be canceled. This pass may not know this yet; the next one will. */
  private Unwind lookAgain() {
    return run.park(RunStatus.WAITING, clock.now());
  }

  @Nullable String send(EffectProgress progress) {
    return send(progress, () -> true);
  }

  /**
   * @param mayStill is asked on the thread of the attempt, directly before the first byte
   */
  @Nullable String send(EffectProgress progress, BooleanSupplier mayStill) {
    return hear(progress, outside.send(progress, mayStill));
  }

  /**
   * Handles an answer. It applies only to its own attempt: after an ambiguous one, only "done" and
   * a refusal that the destination has stored under the key settle the revision.
   */
  private @Nullable String hear(EffectProgress progress, AnswerMeaning answer) {
    return switch (answer) {
      case AnswerMeaning.Done done -> notes.done(progress, done.output(), "answered");
      case AnswerMeaning.DoneUnreadable unreadable ->
          throw notes.review(progress, unreadable.evidence());
      case AnswerMeaning.NotCalled why -> notCalled(progress, why);
      case AnswerMeaning.Nothing nothing when progress.ambiguous() ->
          doubt.begin(
              progress,
              "attempt %d was not applied (%s), but an earlier one may have been"
                  .formatted(progress.attempt(), nothing.evidence()),
              nothing.retryAfter());
      case AnswerMeaning.Nothing nothing ->
          notApplied(progress, nothing.evidence(), nothing.retryAfter());
      case AnswerMeaning.Refusal refusal
          when progress.ambiguous() && !settlesDoubt(refusal, progress) ->
          doubt.begin(
              progress,
              "attempt %d was refused (%s: %s), which says nothing about an earlier one"
                  .formatted(progress.attempt(), refusal.code(), refusal.evidence()),
              null);
      case AnswerMeaning.Refusal refusal ->
          throw notes.giveUp(progress, Failure.of(refusal.code(), told(refusal, progress), false));
      case AnswerMeaning.Mistake mistake when progress.ambiguous() ->
          doubt.begin(
              progress,
              "attempt %d ended with a programming error (%s), which says nothing about an earlier one"
                  .formatted(progress.attempt(), mistake.evidence()),
              null);
      case AnswerMeaning.Mistake mistake ->
          throw notes.giveUpUnknown(
              progress, Failure.of(mistake.code(), mistake.evidence(), false));
      case AnswerMeaning.Ambiguous ambiguous ->
          doubt.begin(
              ambiguous.repeatTells() ? progress : progress.repeatTellsNothing(),
              ambiguous.evidence(),
              ambiguous.retryAfter());
    };
  }

  private static String told(AnswerMeaning.Refusal refusal, EffectProgress progress) {
    return progress.ambiguous()
        ? refusal.evidence()
            + "; the destination stored this answer under the key, so no earlier attempt happened"
        : refusal.evidence();
  }

  private boolean settlesDoubt(AnswerMeaning.Refusal refusal, EffectProgress progress) {
    return refusal.isStored() && step.guard().isKeyRemembered(progress.firstSentAt(), clock.now());
  }

  /** Tries again soon, even beyond the retry budget: the destination was not called. */
  private @Nullable String notCalled(EffectProgress progress, AnswerMeaning.NotCalled why) {
    Duration pause = why.pause();
    Instant next = clock.now().plus(pause == null ? UNTIL_STORE_ANSWERS : pause);
    if (progress.ambiguous()) {
      notes.doubt(progress, why.evidence(), "nothing was sent this time", next, null);
      return doubt.settle(progress.inDoubt(next));
    }
    notes.notApplied(progress, why.evidence(), next);
    return attemptAgain(progress.notApplied(next));
  }

  private @Nullable String notApplied(
      EffectProgress progress, String evidence, @Nullable Duration retryAfter) {
    Instant next = schedule.next(progress, clock.now(), retryAfter);
    if (next == null) {
      throw notes.giveUp(
          progress,
          Failure.of(
              "not-applied",
              "the effect did not happen in %d attempts; the last one: %s"
                  .formatted(progress.attempt(), evidence),
              true));
    }
    if (run.isStopping()) {
      throw notes.giveUp(progress, stoppedWhileBackingOff());
    }
    notes.notApplied(progress, evidence, next);
    return attemptAgain(progress.notApplied(next));
  }

  private static Failure stoppedWhileBackingOff() {
    return Failure.of("canceled", "the run was stopped while it waited for the next attempt", true);
  }

  void waitUntil(@Nullable Instant time) {
    if (time != null && clock.now().isBefore(time)) {
      throw run.park(RunStatus.WAITING, time);
    }
  }
}
