package dev.hapax.store;

import dev.hapax.flow.EffectRecord;
import dev.hapax.flow.EffectState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.JobItem;
import dev.hapax.flow.Line;
import dev.hapax.flow.Overlap;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.SearchFields;
import dev.hapax.flow.Step;
import dev.hapax.flow.SubjectHash;
import dev.hapax.flow.Tie;
import dev.hapax.run.ErasureRecord;
import dev.hapax.run.Gate;
import dev.hapax.run.JobRecord;
import dev.hapax.run.NewRun;
import dev.hapax.run.ScheduleRecord;
import dev.hapax.run.ledger.EffectClaim;
import dev.hapax.run.ledger.EffectImport;
import dev.hapax.run.ledger.EffectReference;
import dev.hapax.run.ledger.UndoClaim;
import dev.hapax.run.start.CallRule;
import dev.hapax.run.value.KvRequest;
import dev.hapax.run.value.ResourcePart;
import dev.hapax.run.wait.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A change of rows, as a value. Without a run, it applies to the run of its group's head. */
public sealed interface Change {

  /**
   * The intent of an effect's first attempt. Answered by {@link dev.hapax.run.ledger.ClaimRule}
   * inside the transaction, or refused if the run is to be canceled. An answer of {@code Held}
   * registers the run as a waiter of the effect.
   */
  record Claim(EffectClaim claim) implements Change {}

  /**
   * The ledger row of an effect after an event. Lands only if the row still belongs to the group's
   * run in this revision. An effect that is no longer open wakes its waiters in the same commit. A
   * done update is also kept by its origin.
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
   * @param evenIfCanceled true for an undo, which continues even if its run is to be canceled
   */
  record Attempt(long effect, int revision, int attempt, boolean evenIfCanceled) implements Change {
    public Attempt(long effect, int revision, int attempt) {
      this(effect, revision, attempt, false);
    }
  }

  /**
   * The intent of an undo's first attempt, also of a run that is to be canceled. Answered by {@link
   * dev.hapax.run.ledger.UndoRule} inside the transaction; unless it was overtaken, the effect that
   * it undoes is {@code undoing} from then on.
   */
  record Undo(UndoClaim wish) implements Change {}

  /**
   * The result of an undo for its effect: undone, or as it was before. Lands only if the row still
   * belongs to the group's run in this revision and is not claimed again; wakes its waiters in the
   * same commit.
   */
  record AfterUndo(long effect, int revision, EffectState state) implements Change {
    /** Mostly from undoing; a person may undo an effect by hand before its undo is claimed. */
    public boolean canFollow(EffectState before) {
      return before == EffectState.UNDOING || before == EffectState.DONE || before == state;
    }
  }

  /**
   * Loads the run into memory: it gets this owner and status running, unless it is compensating,
   * and is no longer due.
   */
  record Take(long owner) implements Change {}

  /**
   * Unloads the run: it loses its owner and is due at the given time, or earlier if it was woken
   * meanwhile.
   */
  record Release(RunStatus status, @Nullable Instant dueAt) implements Change {}

  /**
   * Ends the run, with any status. The same commit wakes the runs that wait for it, gives every
   * slot and lock that it holds to the next in line, and removes its places in lines. If {@link
   * dev.hapax.run.CancelRule} refuses the end, or if a person has decided something that the run
   * does not know yet, the end is answered by {@link dev.hapax.run.journal.Answer.NotEnded} and
   * changes nothing; the rest of the group lands.
   *
   * @param isCancelHeard whether the run's journal holds the cancel, if there is one
   */
  record End(
      RunStatus status, @Nullable String output, @Nullable Failure error, boolean isCancelHeard)
      implements Change {
    public End(RunStatus status, @Nullable String output, @Nullable Failure error) {
      this(status, output, error, false);
    }
  }

  /**
   * Lets a run that ended go on: without owner, queued and due at once. Cancellation, error and end
   * are cleared. Its unanswered callback waits are open again. It passes its flow's gate again. If
   * it must wait for its slot, the answer is {@link dev.hapax.run.journal.Answer.Queued}; if it is
   * refused, the group answers {@link GroupAnswer.Busy}.
   *
   * @param input corrected input, with its fingerprint; null to keep the present one
   * @param gate of the corrected input; null to pass the one that it was started with
   * @param search the fields of the corrected input; null to keep the present ones
   * @param release that the run goes on with; null to keep its own
   */
  record Reopen(
      @Nullable String input,
      @Nullable Fingerprint fingerprint,
      @Nullable Instant timeoutAt,
      @Nullable Gate gate,
      @Nullable SearchFields search,
      @Nullable Integer release)
      implements Change {
    /** With its own release. */
    public Reopen(
        @Nullable String input,
        @Nullable Fingerprint fingerprint,
        @Nullable Instant timeoutAt,
        @Nullable Gate gate,
        @Nullable SearchFields search) {
      this(input, fingerprint, timeoutAt, gate, search, null);
    }

    public Reopen(
        @Nullable String input, @Nullable Fingerprint fingerprint, @Nullable Instant timeoutAt) {
      this(input, fingerprint, timeoutAt, null, null);
    }
  }

  /**
   * Keeps the run out of every memory: it belongs to {@link Run#QUARANTINE}, is in review, and has
   * this error. It keeps its slots, locks, waits and due time, and no heartbeat adopts it.
   */
  record Quarantine(Failure error) implements Change {}

  /** Ends the quarantine: the run has no owner and no error, and is due at once. */
  record Resume(RunStatus status) implements Change {}

  /** Makes the run due at once. */
  record Wake() implements Change {}

  /**
   * Requests the run's cancel and makes it due at once; the first request counts. Its open waits
   * are closed. Answered by {@link dev.hapax.run.journal.Answer.Canceling}, or refused by a run
   * that compensates: then nothing changes.
   */
  record RequestCancel(Run.Cancel cancel) implements Change {}

  /**
   * Starts another run in the same commit: without owner, queued and due at once. If its id has a
   * run already, that run stays as it is. Answered by {@link dev.hapax.run.journal.Answer.Spawned},
   * or by {@link dev.hapax.run.journal.Answer.SpawnExpired} if only the tombstone of that run is
   * left. A run with a gate may have to wait for its slot. It is never refused, even if its flow
   * says so, because no caller would learn of it. A child takes no slot itself: {@link
   * NewRun#withoutGate}.
   *
   * @param isForward whether it is a step of the group's run, which is refused if that run is to be
   *     canceled; a report about the run, such as an alert, is sent in any case, unless it reports
   *     an end that was refused
   */
  record Spawn(NewRun run, boolean isForward) implements Change {
    public Spawn(NewRun run) {
      this(run, false);
    }
  }

  /**
   * Writes a schedule, if it has not been written since it was read. Otherwise the whole group is
   * lost, so that only one of two writers starts its runs.
   *
   * @param expected the version that was read; 0 if there was none
   */
  record PutSchedule(ScheduleRecord schedule, long expected) implements Change {
    /** Whether it lands on a row of this version, or has landed there before. */
    public boolean holdsAt(long version, long op) {
      return version == expected || version == op;
    }
  }

  /**
   * Starts the runs of a schedule's instants and writes its row, under the same condition, as
   * {@link InstantRule} decides. Answered by {@link dev.hapax.run.journal.Answer.Fired}.
   *
   * @param schedule the row after all of the instants
   * @param due the instants that may get a run, in their order
   * @param lastDue the last instant that is due; the same as the last of {@code due}, or later
   * @param passedOver instants that get no run because a later one is due
   * @param newNote what a person should know about instants that were missed; null if nothing
   */
  record FireSchedule(
      ScheduleRecord schedule,
      long expected,
      Overlap overlap,
      List<Due> due,
      Instant lastDue,
      List<Instant> passedOver,
      @Nullable String newNote)
      implements Change {}

  /**
   * Writes a job, if it has not been written since it was read. Otherwise the whole group is lost,
   * with the results and runs beside it.
   *
   * @param expected the version that was read; 0 if there was none
   * @param hasNewSpec whether the spec of a job that is there is written, too. It may be large, and
   *     rarely changes.
   */
  record PutJob(JobRecord job, long expected, boolean hasNewSpec) implements Change {
    /** Of a job whose spec stays as it is. */
    public PutJob(JobRecord job, long expected) {
      this(job, expected, false);
    }

    /** Whether it lands on a row of this version, or has landed there before. */
    public boolean holdsAt(long version, long op) {
      return version == expected || version == op;
    }
  }

  /** Writes items of a job, new ones or those of the same positions. */
  record PutJobItems(long job, List<JobItem> items) implements Change {
    public PutJobItems {
      items = List.copyOf(items);
    }
  }

  /** Deletes up to so many items of a job; the job itself when it has none left. */
  record RemoveJob(String tenant, long job, int most) implements Change {}

  /** A nominal instant, and the run that it asks for. */
  record Due(Instant at, NewRun run) {}

  /** Removes a schedule, under the same condition. */
  record RemoveSchedule(String tenant, String name, long expected) implements Change {
    /** Whether the row still has this version, or is gone already. */
    public boolean holdsAt(long version) {
      return version == expected || version == 0;
    }
  }

  /**
   * The run calls a child and waits for its end. The child begins in the same commit, or the run
   * that has its id already is waited for. Answered by {@link dev.hapax.run.start.CallRule} inside
   * the transaction, or refused if the calling run is to be canceled. An answer of {@code UnderWay}
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
   * The run is to end early. A child that it started is asked to end too, and wakes it when it has
   * ended; a child that it only waits for is let go. Answered by {@link
   * dev.hapax.run.journal.CallAnswer}.
   */
  record StopChild(long child, Run.Cancel cancel) implements Change {}

  /**
   * Keeps runs of this flow that end from now on this long after their end; runs that ended before
   * are kept at least as long.
   *
   * @param tenant whose flow it is; {@link dev.hapax.run.retention.RetentionRule#ALL} for all
   *     tenants that have not set their own
   */
  record KeepRuns(String tenant, String flow, Duration keep) implements Change {}

  /**
   * Replaces these runs by tombstones until the given time. A run stays if it has not ended, if its
   * retention is not over, if it owns an effect that is not settled, or if its parent exists. Some
   * of the journal of a very large run is left for {@link ClearJournals}.
   *
   * @param exported the last seq of the journal that was exported, by run: any other run, and one
   *     whose journal has grown since, is not deleted now; null if nothing is exported
   * @param isEarly whether a person wants them to go before their retention is over
   */
  record ExpireRuns(
      List<Long> runs, Instant tombstonesUntil, @Nullable Map<Long, Long> exported, boolean isEarly)
      implements Change {
    public ExpireRuns(List<Long> runs, Instant tombstonesUntil) {
      this(runs, tombstonesUntil, null, false);
    }

    /** Whether a run with this journal may go. */
    public boolean allows(long run, long lastSeq) {
      return exported == null || Long.valueOf(lastSeq).equals(exported.get(run));
    }
  }

  /** Deletes a bounded part of the remaining journals of expired runs. */
  record ClearJournals(List<Long> runs) implements Change {}

  /**
   * Notes that this flow uses effects of this name and wants them to be kept at least this long
   * after the end of their runs; the longest time that it ever asked for counts.
   *
   * @param tenant whose effects they are
   */
  record KeepEffects(String tenant, String name, String flow, Duration window) implements Change {}

  /**
   * Brings effects in that were done elsewhere. A key that the ledger holds already stays as it is.
   * Answered by {@link dev.hapax.run.journal.Answer.Imported}.
   */
  record ImportEffects(List<EffectImport> rows) implements Change {
    public ImportEffects {
      rows = List.copyOf(rows);
    }
  }

  /**
   * Notes the destination's id of an effect that is done, if the ledger has none. Answered by
   * {@link dev.hapax.run.journal.Answer.IdAdopted}.
   */
  record AdoptId(long effect, int revision, String externalId) implements Change {
    public boolean holdsFor(@Nullable EffectRecord row) {
      return row != null
          && row.state() == EffectState.DONE
          && row.revision() == revision
          && row.externalId() == null;
    }
  }

  /**
   * Removes the references of these runs, which have expired, to these effects; a run that still
   * exists keeps its references. An effect without other references whose life is over is replaced
   * by a tombstone until the given time, but never while it is open. {@link ExpireEffects} looks
   * again at an effect whose life is not over.
   *
   * @param isDeferred whether {@link ExpireEffects} deletes them, because they are exported first
   */
  record LeaveEffects(List<EffectReference> references, Instant tombstonesUntil, boolean isDeferred)
      implements Change {
    public LeaveEffects(List<EffectReference> references, Instant tombstonesUntil) {
      this(references, tombstonesUntil, false);
    }
  }

  /**
   * Looks at effects whose life may be over; decided as by {@link LeaveEffects}.
   *
   * @param exported no other one is deleted now; null if nothing is exported
   */
  record ExpireEffects(List<Long> effects, Instant tombstonesUntil, @Nullable Set<Long> exported)
      implements Change {
    public ExpireEffects(List<Long> effects, Instant tombstonesUntil) {
      this(effects, tombstonesUntil, null);
    }
  }

  /**
   * Deletes up to this many tombstones of effects whose time is over, and as many revisions of
   * updates that are older than everything that is remembered.
   */
  record EndEffectTombstones(int most) implements Change {}

  /** Deletes the expired tombstones of these runs, unless a later run has their key. */
  record EndTombstones(List<Long> runs) implements Change {}

  /** Frees the key of a run that has ended, or expired: the next start under it is a new run. */
  record ForgetKey(long run, String actor, String reason) implements Change {}

  /**
   * A section of the run asks for a lock. Answered by {@link dev.hapax.run.journal.Answer.Locked},
   * {@code LockTaken} or {@code LockImpossible}, or refused if the run is to be canceled. A
   * repeated request gets the current state.
   */
  record Lock(Line line, Step step) implements Change {}

  /** Leaves the section: the same commit gives its lock to the next in line. */
  record Unlock(Line line, Step step) implements Change {}

  /**
   * A request to the durable map. Answered by {@link dev.hapax.run.journal.Answer.Kv} inside the
   * transaction; each write also deletes a few entries that have expired.
   *
   * @param isRequired whether the whole group is lost if this writes nothing, so that several
   *     entries change together or not at all
   */
  record Kv(KvRequest request, boolean isRequired) implements Change {
    /** Two for each write, so that expired entries can never grow in number. */
    public static final int COLLECTED_BY_THE_WAY = 2;

    /** A request that is answered, no matter whether it writes. */
    public Kv(KvRequest request) {
      this(request, false);
    }
  }

  /**
   * Adds runs and effects to the search index, in the order of their numbers, from where the last
   * such change ended: at most this many of each, and only those with a smaller number. Rows that
   * are not in the index are found by looking at them, so a row may come late, but not after its
   * number was passed.
   *
   * @param before younger rows may still be committed in another order
   */
  record IndexSearch(long before, int most) implements Change {}

  /** Deletes up to this many entries of the durable map that have expired. */
  record CollectKv(int most) implements Change {}

  /**
   * A part of a large value; stored once, however often it is put. Each put restarts the time for
   * which the value stays without a reference. Everything else that a group writes counts as a
   * reference if it names the value: the journal and input of a run, the request and result of an
   * effect, a value of the durable map. Each new part also deletes a few parts without references.
   */
  record StoreResource(ResourcePart part) implements Change {
    /** Two for each new part, so that parts without references can never grow in number. */
    public static final int COLLECTED_BY_THE_WAY = 2;
  }

  /** Drops the references of a run, an effect or an entry of the durable map that is gone. */
  record DropReferences(long subject) implements Change {}

  /**
   * Deletes up to this many parts of values without references whose grace is over. Decided inside
   * the transaction, so that a value that is put again meanwhile stays.
   */
  record CollectResources(int mostParts) implements Change {}

  /**
   * Receives an event: it is recorded, and its run begins as by {@link Spawn} if {@link
   * dev.hapax.run.start.InboxRule} allows it. At a full gate whose flow says to refuse, the event
   * is rejected and no run begins. An existing event of this number that can be tried again is
   * decided again. Answered by {@link dev.hapax.run.journal.Answer.Received}.
   *
   * @param run the run that it asks for; null if none could be made from it
   * @param returnsFirst whether another input under the same key gets the first run
   * @param refusal its outcome if it has no run, and why
   * @param occurredAt when it happened, if its run may be lost; the new run's journal then says so
   * @param tie decides if its version came before, but with other input
   */
  record Receive(
      InboxEvent event,
      @Nullable NewRun run,
      boolean returnsFirst,
      InboxOutcome refusal,
      @Nullable String problem,
      @Nullable Instant occurredAt,
      Tie tie)
      implements Change {
    public Receive(
        InboxEvent event,
        @Nullable NewRun run,
        boolean returnsFirst,
        InboxOutcome refusal,
        @Nullable String problem) {
      this(event, run, returnsFirst, refusal, problem, null, Tie.APPLY);
    }
  }

  /** Forgets events with a smaller number, and the versions of their objects, the oldest first. */
  record ForgetEvents(long before, int most) implements Change {}

  /**
   * Erases these rows of a tenant, with all that belongs to them, and up to so many rows of each
   * other table. A row that is another tenant's, or gone, is left as it is; of a long journal, only
   * a bounded part goes, and its run stays for the next time.
   */
  record EraseTenant(String tenant, ErasablePage rows, int most) implements Change {}

  /**
   * Erases the values of a run of this tenant that has ended, with those of the effects that it
   * owns, as {@link dev.hapax.run.retention.ErasureRule} says: the run itself first, then a bounded
   * part of its journal. Answered by {@link dev.hapax.run.journal.Answer.RunErased}.
   *
   * @param subject the person: the run is found by them until the last part is done
   * @param after the rows of its journal up to this one are done; 0 to begin
   * @param erasure the number of the request
   * @param externalIds whether the destinations' ids are erased too
   */
  record EraseRun(
      String tenant,
      SubjectHash subject,
      long run,
      long after,
      long erasure,
      String actor,
      String reason,
      boolean externalIds)
      implements Change {}

  /**
   * Erases the payloads of these events of a tenant, and what jobs note about these runs and
   * effects.
   *
   * @param events their numbers
   * @param subjects the public ids of runs and effects
   */
  record EraseMentions(String tenant, List<Long> events, List<String> subjects) implements Change {
    public EraseMentions {
      events = List.copyOf(events);
      subjects = List.copyOf(subjects);
    }
  }

  /**
   * Remembers a request to erase what is stored about a person. A store in a file remembers it
   * beside the file too, so that a backup that replaces the file does not bring the values back. A
   * request with this number stays as it is.
   */
  record NoteErasure(ErasureRecord erasure) implements Change {}

  /** Notes that nothing is left to erase for a request. */
  record EndErasure(long erasure, long runs) implements Change {}

  /**
   * Counts what was stopped because this run existed.
   *
   * @param starts how many of them were starts by a caller; for figures, not stored
   * @param notes about the last of them, as {@link dev.hapax.run.StoppedNotes} writes them; they
   *     come before the present ones, and the oldest are dropped
   */
  record CountDuplicates(long run, long count, long starts, String notes) implements Change {
    public CountDuplicates(long run, long count) {
      this(run, count, count, "");
    }
  }

  /**
   * Opens a wait for a callback or an approval. An existing number or token stays as it is; a token
   * that another run had (of the same id, long ago) now belongs to this one.
   */
  record OpenWait(Wait opened) implements Change {}

  /**
   * The run has reached a wait that was opened before: deciding it wakes the run from now on. If it
   * is settled already, the run is due at once.
   */
  record AwaitWait(long number, @Nullable Instant expiresAt) implements Change {}

  /**
   * An answer from outside, by {@link dev.hapax.run.wait.WaitRule}: the first one decides and wakes
   * the run that waits; all others are kept and get the first as their answer. Answered by {@link
   * dev.hapax.run.journal.Answer.Heard}. Lost if there is no such wait.
   */
  record AnswerWait(long number, String decision, @Nullable String by) implements Change {}

  /**
   * A person's decision about an effect in review, in a commit that needs no owner: the run may be
   * in another node's memory. It holds only while the effect is in review, in the same revision and
   * after as many attempts as the person saw. The ledger then shows it at once, and the run reads
   * it from the row when it is next taken up, by {@link HearDecision}. Answered by {@link
   * dev.hapax.run.journal.Answer.Decided}.
   *
   * @param undone the change of the effect that it undoes, if it is an undo
   * @param told of kind {@code REVIEW}
   * @param cancel that goes with the decision: requested if the decision holds; null for none
   */
  record Decide(Effect after, @Nullable AfterUndo undone, Wait told, Run.@Nullable Cancel cancel)
      implements Change {
    public boolean holdsFor(@Nullable EffectRecord row, long run) {
      return row != null
          && row.run() == run
          && row.state() == EffectState.REVIEW
          && row.revision() == after.revision()
          && row.attempts() == after.attempt();
    }
  }

  /** The same commit writes the decision to the run's journal. */
  record HearDecision(Wait told) implements Change {}

  /** Expires the wait if its time is over. Answered like {@link AnswerWait}. */
  record ExpireWait(long number) implements Change {}

  /**
   * Closes the run's open waits, which need no answer any more.
   *
   * @param keepCallbacks when the run can still be retried: a callback that arrives meanwhile is
   *     kept for it, because callbacks are not sent twice
   */
  record CloseWaits(boolean keepCallbacks) implements Change {}
}
