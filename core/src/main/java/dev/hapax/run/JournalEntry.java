package dev.hapax.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.hapax.flow.Kind;
import dev.hapax.run.JournalEntry.Alerted;
import dev.hapax.run.JournalEntry.ApprovalAsked;
import dev.hapax.run.JournalEntry.Attempted;
import dev.hapax.run.JournalEntry.Branched;
import dev.hapax.run.JournalEntry.CallAwaited;
import dev.hapax.run.JournalEntry.CallFailed;
import dev.hapax.run.JournalEntry.CallRetried;
import dev.hapax.run.JournalEntry.CallStopped;
import dev.hapax.run.JournalEntry.CallbackAwaited;
import dev.hapax.run.JournalEntry.CallbackOpened;
import dev.hapax.run.JournalEntry.Called;
import dev.hapax.run.JournalEntry.CancelRequested;
import dev.hapax.run.JournalEntry.Claimed;
import dev.hapax.run.JournalEntry.CodeMissing;
import dev.hapax.run.JournalEntry.CompensationStarted;
import dev.hapax.run.JournalEntry.EffectDone;
import dev.hapax.run.JournalEntry.EffectFailed;
import dev.hapax.run.JournalEntry.Ended;
import dev.hapax.run.JournalEntry.InDoubt;
import dev.hapax.run.JournalEntry.InReview;
import dev.hapax.run.JournalEntry.ItemEnded;
import dev.hapax.run.JournalEntry.KeyForgotten;
import dev.hapax.run.JournalEntry.KvAsked;
import dev.hapax.run.JournalEntry.LeftBehind;
import dev.hapax.run.JournalEntry.LockAsked;
import dev.hapax.run.JournalEntry.LockReleased;
import dev.hapax.run.JournalEntry.LoopEnded;
import dev.hapax.run.JournalEntry.LoopStarted;
import dev.hapax.run.JournalEntry.NotApplied;
import dev.hapax.run.JournalEntry.Occurred;
import dev.hapax.run.JournalEntry.ProvenAbsent;
import dev.hapax.run.JournalEntry.Published;
import dev.hapax.run.JournalEntry.Queued;
import dev.hapax.run.JournalEntry.ReadFailed;
import dev.hapax.run.JournalEntry.Retried;
import dev.hapax.run.JournalEntry.SentAgain;
import dev.hapax.run.JournalEntry.Settled;
import dev.hapax.run.JournalEntry.SettledTooLate;
import dev.hapax.run.JournalEntry.Skipped;
import dev.hapax.run.JournalEntry.SlotGranted;
import dev.hapax.run.JournalEntry.SpawnedRun;
import dev.hapax.run.JournalEntry.StepDone;
import dev.hapax.run.JournalEntry.StepFailed;
import dev.hapax.run.JournalEntry.StepSettled;
import dev.hapax.run.JournalEntry.TimedOut;
import dev.hapax.run.JournalEntry.TurnAwaited;
import dev.hapax.run.JournalEntry.WaitEnded;
import dev.hapax.run.JournalEntry.WaitSettled;
import dev.hapax.run.JournalEntry.WaitStarted;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One fact of a run, in the order in which it became durable. The names are stored: a released one
 * never changes. Outputs are JSON text.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = StepDone.class, name = "step-done"),
  @JsonSubTypes.Type(value = Branched.class, name = "branched"),
  @JsonSubTypes.Type(value = StepFailed.class, name = "step-failed"),
  @JsonSubTypes.Type(value = ReadFailed.class, name = "read-failed"),
  @JsonSubTypes.Type(value = StepSettled.class, name = "step-settled"),
  @JsonSubTypes.Type(value = Claimed.class, name = "claimed"),
  @JsonSubTypes.Type(value = Attempted.class, name = "attempted"),
  @JsonSubTypes.Type(value = SentAgain.class, name = "sent-again"),
  @JsonSubTypes.Type(value = NotApplied.class, name = "not-applied"),
  @JsonSubTypes.Type(value = InDoubt.class, name = "doubt"),
  @JsonSubTypes.Type(value = ProvenAbsent.class, name = "absent"),
  @JsonSubTypes.Type(value = InReview.class, name = "review"),
  @JsonSubTypes.Type(value = Settled.class, name = "settled"),
  @JsonSubTypes.Type(value = SettledTooLate.class, name = "settled-too-late"),
  @JsonSubTypes.Type(value = EffectDone.class, name = "done"),
  @JsonSubTypes.Type(value = EffectFailed.class, name = "failed"),
  @JsonSubTypes.Type(value = Skipped.class, name = "skipped"),
  @JsonSubTypes.Type(value = LeftBehind.class, name = "left-behind"),
  @JsonSubTypes.Type(value = LoopStarted.class, name = "loop"),
  @JsonSubTypes.Type(value = ItemEnded.class, name = "item-ended"),
  @JsonSubTypes.Type(value = LoopEnded.class, name = "loop-ended"),
  @JsonSubTypes.Type(value = WaitStarted.class, name = "wait"),
  @JsonSubTypes.Type(value = WaitEnded.class, name = "wait-ended"),
  @JsonSubTypes.Type(value = Published.class, name = "published"),
  @JsonSubTypes.Type(value = CallbackOpened.class, name = "callback-opened"),
  @JsonSubTypes.Type(value = CallbackAwaited.class, name = "callback-awaited"),
  @JsonSubTypes.Type(value = ApprovalAsked.class, name = "approval-asked"),
  @JsonSubTypes.Type(value = WaitSettled.class, name = "wait-settled"),
  @JsonSubTypes.Type(value = Called.class, name = "called"),
  @JsonSubTypes.Type(value = CallAwaited.class, name = "call-awaited"),
  @JsonSubTypes.Type(value = CallRetried.class, name = "call-retried"),
  @JsonSubTypes.Type(value = CallStopped.class, name = "call-stopped"),
  @JsonSubTypes.Type(value = CallFailed.class, name = "call-failed"),
  @JsonSubTypes.Type(value = SpawnedRun.class, name = "spawned-run"),
  @JsonSubTypes.Type(value = KvAsked.class, name = "kv"),
  @JsonSubTypes.Type(value = Alerted.class, name = "alerted"),
  @JsonSubTypes.Type(value = Retried.class, name = "retried"),
  @JsonSubTypes.Type(value = CancelRequested.class, name = "cancel-requested"),
  @JsonSubTypes.Type(value = TimedOut.class, name = "timed-out"),
  @JsonSubTypes.Type(value = CompensationStarted.class, name = "compensation-started"),
  @JsonSubTypes.Type(value = Ended.class, name = "ended"),
  @JsonSubTypes.Type(value = KeyForgotten.class, name = "key-forgotten"),
  @JsonSubTypes.Type(value = Queued.class, name = "queued"),
  @JsonSubTypes.Type(value = SlotGranted.class, name = "slot"),
  @JsonSubTypes.Type(value = LockAsked.class, name = "lock"),
  @JsonSubTypes.Type(value = LockReleased.class, name = "unlock"),
  @JsonSubTypes.Type(value = TurnAwaited.class, name = "turn-awaited"),
  @JsonSubTypes.Type(value = CodeMissing.class, name = "code-missing"),
  @JsonSubTypes.Type(value = Occurred.class, name = "occurred"),
})
@JsonInclude(JsonInclude.Include.NON_NULL)
public sealed interface JournalEntry {
  /** The step that the entry is about; null for the run itself. */
  default @Nullable Step step() {
    return null;
  }

  /** A pure or read step has its result. */
  record StepDone(Step step, @Nullable String output) implements JournalEntry {}

  /** The body has decided which branch to take. */
  record Branched(Step step, String branch) implements JournalEntry {}

  /** A pure or read step failed for good. */
  record StepFailed(Step step, Failure error) implements JournalEntry {}

  /** A read failed and will be tried again. */
  record ReadFailed(Step step, int attempt, String evidence, Instant retryAt)
      implements JournalEntry {}

  /** A person did a failed step by hand. */
  record StepSettled(Step step, @Nullable String output, String reason, String actor)
      implements JournalEntry {}

  /**
   * The intent of an effect's first attempt; the journal row holds the ledger's answer beside it.
   *
   * @param undoable true if its contract says how it is undone
   * @param branch the parallel branch, or item of an inner loop, that claims it; null outside of
   *     them, and in journals that did not say
   */
  record Claimed(
      Step step,
      long effect,
      String name,
      String key,
      Kind kind,
      String guard,
      @Nullable String origin,
      @Nullable Boolean undoable,
      @Nullable String branch)
      implements JournalEntry {
    public Claimed(
        Step step,
        long effect,
        String name,
        String key,
        Kind kind,
        String guard,
        @Nullable String origin) {
      this(step, effect, name, key, kind, guard, origin, null, null);
    }
  }

  /**
   * The intent of a further attempt after one that was not applied; the journal row holds the
   * answer beside it.
   */
  record Attempted(Step step, int revision, int attempt) implements JournalEntry {}

  /**
   * The intent of an attempt that settles a doubt by the guard's rule. It is not refused when the
   * run is to be canceled.
   */
  record SentAgain(Step step, int revision, int attempt) implements JournalEntry {}

  /** Nothing happened in this attempt; it is tried again at the given time. */
  record NotApplied(Step step, int revision, int attempt, String evidence, Instant retryAt)
      implements JournalEntry {}

  /**
   * An attempt was sent and its outcome is unknown; the guard's rule settles it, from the given
   * time on.
   *
   * @param repeatTellsNothing true if sending again settles nothing, so that a lookup has to
   */
  record InDoubt(
      Step step,
      int revision,
      int attempt,
      String evidence,
      String decision,
      @Nullable Instant retryAt,
      @Nullable Boolean repeatTellsNothing,
      @Nullable Instant sentSince)
      implements JournalEntry {}

  /** A lookup has proved that no attempt so far happened. */
  record ProvenAbsent(Step step, int revision, int attempt, String evidence)
      implements JournalEntry {}

  /** Only a person can settle it. */
  record InReview(Step step, int revision, int attempt, String evidence) implements JournalEntry {}

  /** A person settled a review. */
  record Settled(
      Step step,
      int revision,
      SettleDecision decision,
      @Nullable String output,
      @Nullable String externalId,
      String reason,
      String actor)
      implements JournalEntry {}

  /** A person settled a review after the effect's answer had reached the run's memory. */
  record SettledTooLate(
      Step step, int revision, SettleDecision decision, String reason, String actor)
      implements JournalEntry {
    public static SettledTooLate of(Settled late) {
      return new SettledTooLate(
          late.step(), late.revision(), late.decision(), late.reason(), late.actor());
    }
  }

  /** It happened, once; the decision says how this is known. */
  record EffectDone(
      Step step,
      int revision,
      int attempt,
      @Nullable String output,
      @Nullable String externalId,
      String decision)
      implements JournalEntry {
    /** The decision for an effect that existed already, and so was not sent by this run. */
    public static final String FOUND_BEFORE_SENDING = "found at the destination before it was sent";
  }

  /**
   * Final and not applied.
   *
   * @param givenUp true if it may have happened nevertheless: a mistake in the program stopped its
   *     sender. The ledger then holds it as abandoned
   */
  record EffectFailed(
      Step step, int revision, int attempt, Failure error, @Nullable Boolean givenUp)
      implements JournalEntry {
    public EffectFailed(Step step, int revision, int attempt, Failure error) {
      this(step, revision, attempt, error, null);
    }
  }

  /** Given up in doubt, as the flow explicitly allows. */
  record Skipped(Step step, int revision, int attempt, String evidence) implements JournalEntry {}

  /**
   * An effect that the run did before it was retried, and that its body has not reached since: a
   * corrected input, or a step that no longer fails, has led to another branch.
   */
  record LeftBehind(Step step, long effect, String name, String key) implements JournalEntry {}

  /** A loop over this many items; the steps of each item have their own lane. */
  record LoopStarted(Step step, long items) implements JournalEntry {}

  /** An item was handled, or failed for good. */
  record ItemEnded(Step step, @Nullable Failure error) implements JournalEntry {}

  /** Every item of the loop has ended; contains the first of the failures. */
  record LoopEnded(Step step, long succeeded, long failed, List<Failure> failures)
      implements JournalEntry {}

  record WaitStarted(Step step, Instant until) implements JournalEntry {}

  record WaitEnded(Step step) implements JournalEntry {}

  /**
   * A message was given to the outbox; the journal row holds beside it whether its delivery began
   * here.
   *
   * @param message its id
   * @param delivery the id of the run that delivers it
   */
  record Published(Step step, String message, String destination, String delivery)
      implements JournalEntry {}

  /** A callback's token is about to be handed out. */
  record CallbackOpened(Step step, long number) implements JournalEntry {}

  /**
   * The run waits for a callback.
   *
   * @param number of the wait; that of an earlier round if its token went out in a reused effect
   */
  record CallbackAwaited(Step step, long number, @Nullable Instant expiresAt)
      implements JournalEntry {}

  /** The run waits for people. */
  record ApprovalAsked(
      Step step,
      long number,
      String ask,
      List<String> roles,
      @Nullable Instant expiresAt,
      boolean failsIfRejected)
      implements JournalEntry {}

  /** The run knows how its wait was decided, or that it expired. */
  record WaitSettled(
      Step step,
      long number,
      Wait.State state,
      @Nullable String decision,
      @Nullable String by,
      @Nullable Instant settledAt)
      implements JournalEntry {}

  /**
   * A child run was called, on this release for good; the journal row holds the answer about the
   * child beside it.
   */
  record Called(Step step, String flow, int release, String key, String child)
      implements JournalEntry {}

  /** Woken, the run looked at its child again; the journal row holds the answer. */
  record CallAwaited(Step step, long child) implements JournalEntry {}

  /** Retried, the run lets its child go on if it failed; the journal row holds the answer. */
  record CallRetried(Step step, long child) implements JournalEntry {}

  /** The run is to end early and asked its child to end; the journal row holds the answer. */
  record CallStopped(Step step, long child) implements JournalEntry {}

  /** The call could not be made. */
  record CallFailed(Step step, Failure error) implements JournalEntry {}

  /**
   * Another run was started and is not waited for; the journal row holds the answer.
   *
   * @param anyInput whether a run of this key with another input is taken too
   */
  record SpawnedRun(Step step, String flow, int release, String key, String child, boolean anyInput)
      implements JournalEntry {}

  /** A request to the durable map; the journal row holds the answer beside it. */
  record KvAsked(Step step, KvAction action, String key, @Nullable String value)
      implements JournalEntry {}

  /** People are alerted; the journal row holds beside it whether they were before. */
  record Alerted(Alert alert, String message, String delivery) implements JournalEntry {}

  /** Retries what failed, perhaps with a corrected input. */
  record Retried(String actor, @Nullable String input, @Nullable String previousInput)
      implements JournalEntry {}

  record CancelRequested(String actor, @Nullable String reason) implements JournalEntry {}

  record TimedOut(Instant timeoutAt) implements JournalEntry {}

  /**
   * From here on the run undoes its effects, no matter what its body would do now.
   *
   * @param cause why; the run's error when it is compensated
   */
  record CompensationStarted(Failure cause) implements JournalEntry {}

  record Ended(RunStatus status, @Nullable String output, @Nullable Failure error)
      implements JournalEntry {}

  /** A person freed the ended run's key: the next start under it is a new run. */
  record KeyForgotten(String actor, String reason) implements JournalEntry {}

  /**
   * The run waits for a slot of its flow's concurrency limit. Written by the store, in place of the
   * run's first commit; the row's answer names the run before it.
   */
  record Queued(Gate gate) implements JournalEntry {}

  /** The run that waited has its slot and goes on. */
  record SlotGranted() implements JournalEntry {}

  /** The run was due, and the code of its release was not registered: the run waits for it. */
  record CodeMissing(int release) implements JournalEntry {}

  /**
   * The event that started the run happened in a time that the store has lost, so it may have had a
   * run then. Written by the store, together with the run.
   */
  record Occurred(Instant occurredAt) implements JournalEntry {}

  /** A section asks for its lock; the journal row holds the answer beside it. */
  record LockAsked(Step step, String key) implements JournalEntry {}

  /** A section was left, and its lock released. */
  record LockReleased(Step step, String key, long fence) implements JournalEntry {}

  /**
   * The run left memory because a rate, the calls under way or a circuit breaker made it wait.
   * Nothing was intended yet. The journal does not say how it continues: it asks again.
   *
   * @param step the effect that waits; null if the run has not begun
   * @param until when it asks again, if it is not called before
   */
  record TurnAwaited(@Nullable Step step, String because, Instant until) implements JournalEntry {}
}
