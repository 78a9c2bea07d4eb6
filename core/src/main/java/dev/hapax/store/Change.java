package dev.hapax.store;

import dev.hapax.run.CallRule;
import dev.hapax.run.EffectClaim;
import dev.hapax.run.EffectRecord;
import dev.hapax.run.EffectReference;
import dev.hapax.run.EffectState;
import dev.hapax.run.Failure;
import dev.hapax.run.Fingerprint;
import dev.hapax.run.Gate;
import dev.hapax.run.InboxEvent;
import dev.hapax.run.InboxOutcome;
import dev.hapax.run.KvRequest;
import dev.hapax.run.Line;
import dev.hapax.run.NewRun;
import dev.hapax.run.ResourcePart;
import dev.hapax.run.Run;
import dev.hapax.run.RunStatus;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.Step;
import dev.hapax.run.UndoClaim;
import dev.hapax.run.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A change of rows, as a value. Those that name no run are about the run of their group's head. */
public sealed interface Change {

  /**
   * The intent of an effect's first attempt. Answered by {@link dev.hapax.run.ClaimRule} inside the
   * transaction, or refused if the run is to be canceled. An answer of {@code Held} registers the
   * run as a waiter of the effect.
   */
  record Claim(EffectClaim claim) implements Change {}

  /**
   * The ledger row of an effect after something happened to it. Lands only if the row still belongs
   * to the group's run in this revision. An effect that is no longer open wakes its waiters in the
   * same commit. A done update is also kept by its origin.
   *
   * @param attempt the number of attempts so far, this intent included
   * @param origin of an update's claim, when it is done; null otherwise
   */
  record Effect(
      long effect,
      int revision,
      EffectState state,
      int attempt,
      @Nullable String result,
      @Nullable String externalId,
      @Nullable String evidence,
      @Nullable String origin)
      implements Change {}

  /**
   * The intent of a further attempt: answered as granted, or refused if the run is to be canceled;
   * the group's other changes land either way.
   *
   * @param evenIfCanceled an undo goes on whatever is asked of its run
   */
  record Attempt(long effect, int revision, int attempt, boolean evenIfCanceled) implements Change {
    public Attempt(long effect, int revision, int attempt) {
      this(effect, revision, attempt, false);
    }
  }

  /**
   * The intent of an undo's first attempt, also of a run that is to be canceled. Answered by {@link
   * dev.hapax.run.UndoRule} inside the transaction; unless it was overtaken, the effect that it
   * undoes is {@code undoing} from then on.
   */
  record Undo(UndoClaim wish) implements Change {}

  /**
   * What an undo has made of its effect: undone, or as it was before. Lands only if the row still
   * belongs to the group's run in this revision and is not claimed again; wakes its waiters in the
   * same commit.
   */
  record AfterUndo(long effect, int revision, EffectState state) implements Change {
    /** Mostly of an effect that is undoing; a person may undo by hand what was not claimed yet. */
    public boolean canFollow(EffectState before) {
      return before == EffectState.UNDOING || before == EffectState.DONE || before == state;
    }
  }

  /**
   * The run comes into memory: it gets this owner and status running, unless it is compensating,
   * and is no longer due.
   */
  record Take(long owner) implements Change {}

  /**
   * The run leaves memory: it loses its owner and is due at the given time, or earlier if it was
   * woken meanwhile.
   */
  record Release(RunStatus status, @Nullable Instant dueAt) implements Change {}

  /**
   * The run has ended, in whichever way. By the same commit whoever waits for it is woken, every
   * slot and lock that it holds goes to the next in line, and its places in lines are gone. An end
   * that {@link dev.hapax.run.CancelRule} refuses, or before which a person has decided something
   * that the run has not heard, is answered by {@link dev.hapax.run.Answer.NotEnded} and changes
   * nothing; the rest of the group lands.
   *
   * @param isCancelHeard whether the run's journal tells of the cancel, if there is one
   */
  record End(
      RunStatus status, @Nullable String output, @Nullable Failure error, boolean isCancelHeard)
      implements Change {
    public End(RunStatus status, @Nullable String output, @Nullable Failure error) {
      this(status, output, error, false);
    }
  }

  /**
   * A run that ended goes on: without owner, queued and due at once. Cancellation, error and end
   * are cleared. Its callback waits that nobody has answered are open again. It passes its flow's
   * gate again: it may have to wait for its slot, which {@link dev.hapax.run.Answer.Queued} tells,
   * or be refused, and then the group answers {@link GroupAnswer.Busy}.
   *
   * @param input corrected input, with its fingerprint; null to keep what is there
   * @param gate of the corrected input; null to pass the one that it was started with
   */
  record Reopen(
      @Nullable String input,
      @Nullable Fingerprint fingerprint,
      @Nullable Instant timeoutAt,
      @Nullable Gate gate)
      implements Change {
    public Reopen(
        @Nullable String input, @Nullable Fingerprint fingerprint, @Nullable Instant timeoutAt) {
      this(input, fingerprint, timeoutAt, null);
    }
  }

  /** The run is due at once. */
  record Wake() implements Change {}

  /**
   * The run is to be canceled, and due at once; the first wish stays. Its open waits are closed.
   * Answered by {@link dev.hapax.run.Answer.Canceling}, or refused by a run that compensates: then
   * nothing changes.
   */
  record RequestCancel(Run.Cancel cancel) implements Change {}

  /**
   * Another run begins in the same commit: without owner, queued and due at once. If its id has a
   * run already that one stays as it is. Answered by {@link dev.hapax.run.Answer.Spawned}, or by
   * {@link dev.hapax.run.Answer.SpawnExpired} if only the tombstone of that run is left. A run with
   * a gate may have to wait for its slot; it is never refused, whatever its flow says, because
   * nobody is there to hear it. A child takes no slot of its own: {@link NewRun#withoutGate}.
   *
   * @param isForward whether it is a step of the group's run, which is refused if that run is to be
   *     canceled; what only tells of the run, such as an alert, goes out all the same, unless it
   *     tells of an end that was refused
   */
  record Spawn(NewRun run, boolean isForward) implements Change {
    public Spawn(NewRun run) {
      this(run, false);
    }
  }

  /**
   * A schedule as it stands from now on, if nobody else has written it since: then the whole group
   * is lost, so that the runs it starts are started by one of two alone.
   *
   * @param expected the version that was read; 0 if there was none
   */
  record PutSchedule(ScheduleRecord schedule, long expected) implements Change {
    /** Whether it lands on a row of this version, or has landed there before. */
    public boolean holdsAt(long version, long op) {
      return version == expected || version == op;
    }
  }

  /** A schedule is no more, under the same condition. */
  record RemoveSchedule(String tenant, String name, long expected) implements Change {
    /** Whether there is still this version, or nothing any more. */
    public boolean holdsAt(long version) {
      return version == expected || version == 0;
    }
  }

  /**
   * The run calls a child and waits for its end: the child begins in the same commit, or the run
   * that has its id already is waited for. Answered by {@link dev.hapax.run.CallRule} inside the
   * transaction, or refused if the calling run is to be canceled. An answer of {@code UnderWay}
   * registers the run as a waiter of the child, whose end wakes it.
   *
   * @param anyInput whether a run with another input is taken too
   * @param retry if the run was retried with a corrected input
   */
  record Call(NewRun child, boolean anyInput, CallRule.@Nullable Retry retry) implements Change {}

  /**
   * The run looks again at the child that it has called; answered and registered as for {@link
   * Call}.
   *
   * @param retry if the run was retried: then a child that failed goes on
   */
  record Await(long child, CallRule.@Nullable Retry retry) implements Change {}

  /**
   * The run is to end early: a child that it started is asked to end too, and wakes it when it has;
   * one that it only waits for is let go. Answered by {@link dev.hapax.run.CallAnswer}.
   */
  record StopChild(long child, Run.Cancel cancel) implements Change {}

  /**
   * Runs of this flow that end from now on are kept this long after their end; those that ended
   * before at least as long.
   */
  record KeepRuns(String flow, Duration keep) implements Change {}

  /**
   * Of these runs only tombstones stay, until the given time; but not of one that has not ended,
   * whose retention is not over, that owns an effect that is not settled, or whose parent is there.
   * Of a very large run some of the journal is left for {@link ClearJournals}.
   */
  record ExpireRuns(List<Long> runs, Instant tombstonesUntil) implements Change {}

  /** A bounded part of what is left of the journals of runs that have expired. */
  record ClearJournals(List<Long> runs) implements Change {}

  /**
   * Effects of this name are used by this flow, which wants them to be kept at least this long
   * after the end of their runs; the longest that it ever said counts.
   */
  record KeepEffects(String name, String flow, Duration window) implements Change {}

  /**
   * These runs have expired and do not refer to these effects any more; a run that is still there
   * does. Of an effect that no other run refers to, and whose life is over, only a tombstone stays,
   * until the given time; but never of one that is open. One whose life is not over is looked at
   * again by {@link ExpireEffects}.
   */
  record LeaveEffects(List<EffectReference> references, Instant tombstonesUntil)
      implements Change {}

  /** The life of these effects may be over: decided as by {@link LeaveEffects}. */
  record ExpireEffects(List<Long> effects, Instant tombstonesUntil) implements Change {}

  /**
   * Deletes up to this many tombstones of effects whose time is over, and as many revisions of
   * updates that were made longer ago than anybody remembers.
   */
  record EndEffectTombstones(int most) implements Change {}

  /** The tombstones of these runs whose time is over go, unless a later run has their key. */
  record EndTombstones(List<Long> runs) implements Change {}

  /** The key of a run that has ended, or expired, is free: the next start under it is a new run. */
  record ForgetKey(long run, String actor, String reason) implements Change {}

  /**
   * A section of the run asks for a lock. Answered by {@link dev.hapax.run.Answer.Locked}, {@code
   * LockTaken} or {@code LockImpossible}, or refused if the run is to be canceled. Asked again it
   * hears how it stands now.
   */
  record Lock(Line line, Step step) implements Change {}

  /** The section is left: its lock goes to the next in line by the same commit. */
  record Unlock(Line line, Step step) implements Change {}

  /**
   * Something asked of the durable map. Answered by {@link dev.hapax.run.Answer.Kv} inside the
   * transaction; what is written also collects a few entries that have expired.
   */
  record Kv(KvRequest request) implements Change {
    /** Two for each that is written: the expired ones can never grow in number. */
    public static final int COLLECTED_BY_THE_WAY = 2;
  }

  /** Deletes up to this many entries of the durable map that have expired. */
  record CollectKv(int most) implements Change {}

  /**
   * A part of a large value; stored once however often it is put. Each time it is put begins the
   * time anew for which it stays without a reference. Everything else that a group writes counts as
   * a reference if it names the value: the journal and input of a run, the request and result of an
   * effect, a value of the durable map. Each part that comes collects a few that nothing refers to.
   */
  record StoreResource(ResourcePart part) implements Change {
    /** Two for each that comes: what nothing refers to can never grow in number. */
    public static final int COLLECTED_BY_THE_WAY = 2;
  }

  /** A run, an effect or an entry of the durable map is gone, and with it what it refers to. */
  record DropReferences(long subject) implements Change {}

  /**
   * Deletes up to this many parts of values that nothing refers to and whose grace is over; decided
   * inside the transaction, so that one that is put again meanwhile stays.
   */
  record CollectResources(int mostParts) implements Change {}

  /**
   * An event comes in: it is recorded, and its run begins as by {@link Spawn} if {@link
   * dev.hapax.run.InboxRule} lets it; but at a full gate whose flow says to refuse, the event is
   * rejected and no run begins. An event that is there under this number and can be tried again is
   * decided anew. Answered by {@link dev.hapax.run.Answer.Received}.
   *
   * @param run what it asks for; null if nothing could be made of it
   * @param returnsFirst whether another input under the same key gets the first run
   * @param refusal what it is if it has no run, and why
   * @param occurredAt when it happened, if its run may be lost; the new run's journal then says so
   */
  record Receive(
      InboxEvent event,
      @Nullable NewRun run,
      boolean returnsFirst,
      InboxOutcome refusal,
      @Nullable String problem,
      @Nullable Instant occurredAt)
      implements Change {
    public Receive(
        InboxEvent event,
        @Nullable NewRun run,
        boolean returnsFirst,
        InboxOutcome refusal,
        @Nullable String problem) {
      this(event, run, returnsFirst, refusal, problem, null);
    }
  }

  /**
   * Events with a smaller number, and what is known of their objects, are forgotten; the oldest.
   */
  record ForgetEvents(long before, int most) implements Change {}

  /** Starts that were stopped because this run was there. */
  record CountDuplicates(long run, long count) implements Change {}

  /**
   * A wait for a callback or an approval. A number or a token that is there already stays as it is;
   * a token that another run had (of the same id, long ago) now belongs to this one.
   */
  record OpenWait(Wait opened) implements Change {}

  /**
   * The run has come to a wait that was opened before: deciding it wakes the run from now on. If it
   * is settled already, the run is due at once.
   */
  record AwaitWait(long number, @Nullable Instant expiresAt) implements Change {}

  /**
   * An answer from outside, by {@link dev.hapax.run.WaitRule}: the first one decides and wakes the
   * run that waits, all others are kept and hear the first. Answered by {@link
   * dev.hapax.run.Answer.Heard}. Lost if there is no such wait.
   */
  record AnswerWait(long number, String decision, @Nullable String by) implements Change {}

  /**
   * What a person has decided about an effect in review, in a commit that asks no owner: the run
   * may be in another node's memory. Holds only while the effect is in review, in the same revision
   * and after as many attempts as the person saw. Then the ledger shows it at once, and the run
   * hears it from the row when it is taken up next, by {@link HearDecision}. Answered by {@link
   * dev.hapax.run.Answer.Decided}.
   *
   * @param undone what it means for the effect that it undoes, if it is an undo
   * @param told of kind {@code REVIEW}
   */
  record Decide(Effect after, @Nullable AfterUndo undone, Wait told) implements Change {
    public boolean holdsFor(@Nullable EffectRecord row, long run) {
      return row != null
          && row.run() == run
          && row.state() == EffectState.REVIEW
          && row.revision() == after.revision()
          && row.attempts() == after.attempt();
    }
  }

  /** The run's journal tells of a decision by the same commit. */
  record HearDecision(Wait told) implements Change {}

  /** The wait's time may be over. Answered like {@link AnswerWait}. */
  record ExpireWait(long number) implements Change {}

  /**
   * The run's open waits need no answer any more.
   *
   * @param keepCallbacks when the run can still be retried: a callback that comes meanwhile is kept
   *     for it, because nobody sends it twice
   */
  record CloseWaits(boolean keepCallbacks) implements Change {}
}
