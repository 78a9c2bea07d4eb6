package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.hapax.flow.InboxEvent;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.Run;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.WaitState;
import dev.hapax.run.CancelRule;
import dev.hapax.run.NewRun;
import dev.hapax.run.Tombstone;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store's answer, given inside its transaction, to a change that asks something. It is stored
 * beside the journal entry that asked, so that a replay gets it again. The names are stored: a
 * released one never changes.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "answer")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ClaimAnswer.Granted.class, name = "granted"),
  @JsonSubTypes.Type(value = ClaimAnswer.Reused.class, name = "reused"),
  @JsonSubTypes.Type(value = ClaimAnswer.Held.class, name = "held"),
  @JsonSubTypes.Type(value = ClaimAnswer.Conflict.class, name = "conflict"),
  @JsonSubTypes.Type(value = ClaimAnswer.Expired.class, name = "effect-expired"),
  @JsonSubTypes.Type(value = ClaimAnswer.ResultErased.class, name = "effect-erased"),
  @JsonSubTypes.Type(value = ClaimAnswer.Abandoned.class, name = "abandoned"),
  @JsonSubTypes.Type(value = ClaimAnswer.Refused.class, name = "refused"),
  @JsonSubTypes.Type(value = ClaimAnswer.ReviewFirst.class, name = "review-first"),
  @JsonSubTypes.Type(value = ClaimAnswer.Overtaken.class, name = "overtaken"),
  @JsonSubTypes.Type(value = ClaimAnswer.ReviewRework.class, name = "review-rework"),
  @JsonSubTypes.Type(value = ClaimAnswer.UndoFirst.class, name = "undo-first"),
  @JsonSubTypes.Type(value = ClaimAnswer.NotPlanned.class, name = "not-planned"),
  @JsonSubTypes.Type(value = Answer.Spawned.class, name = "spawned"),
  @JsonSubTypes.Type(value = Answer.SpawnExpired.class, name = "spawn-expired"),
  @JsonSubTypes.Type(value = Answer.Received.class, name = "received"),
  @JsonSubTypes.Type(value = Answer.Heard.class, name = "heard"),
  @JsonSubTypes.Type(value = CallAnswer.UnderWay.class, name = "call-under-way"),
  @JsonSubTypes.Type(value = CallAnswer.Ended.class, name = "call-ended"),
  @JsonSubTypes.Type(value = CallAnswer.KeyReused.class, name = "call-key-reused"),
  @JsonSubTypes.Type(value = CallAnswer.Cycle.class, name = "call-cycle"),
  @JsonSubTypes.Type(value = CallAnswer.LetGo.class, name = "call-let-go"),
  @JsonSubTypes.Type(value = CallAnswer.Gone.class, name = "call-gone"),
  @JsonSubTypes.Type(value = Answer.Queued.class, name = "queued"),
  @JsonSubTypes.Type(value = Answer.Locked.class, name = "locked"),
  @JsonSubTypes.Type(value = Answer.LockTaken.class, name = "lock-taken"),
  @JsonSubTypes.Type(value = Answer.LockImpossible.class, name = "lock-impossible"),
  @JsonSubTypes.Type(value = Answer.Kv.class, name = "kv"),
  @JsonSubTypes.Type(value = Answer.Canceling.class, name = "canceling"),
  @JsonSubTypes.Type(value = Answer.NotEnded.class, name = "not-ended"),
  @JsonSubTypes.Type(value = Answer.Decided.class, name = "decided"),
  @JsonSubTypes.Type(value = Answer.Fired.class, name = "fired"),
  @JsonSubTypes.Type(value = Answer.Imported.class, name = "imported"),
  @JsonSubTypes.Type(value = Answer.IdAdopted.class, name = "id-adopted"),
  @JsonSubTypes.Type(value = Answer.RunErased.class, name = "run-erased"),
})
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public sealed interface Answer
    permits ClaimAnswer,
        CallAnswer,
        Answer.Spawned,
        Answer.SpawnExpired,
        Answer.Heard,
        Answer.Queued,
        Answer.Locked,
        Answer.LockTaken,
        Answer.LockImpossible,
        Answer.Kv,
        Answer.Canceling,
        Answer.NotEnded,
        Answer.Decided,
        Answer.Received,
        Answer.Fired,
        Answer.Imported,
        Answer.IdAdopted,
        Answer.RunErased {

  /**
   * Answers a change that starts another run in the same commit.
   *
   * @param run its number
   * @param isFresh false if its id had a run before
   * @param sameInput whether that one was started with this input
   */
  record Spawned(long run, boolean isFresh, boolean sameInput) implements Answer {
    /** For a run whose id is taken, possibly by itself, if the group is submitted again. */
    public static Spawned found(Run present, NewRun wanted) {
      boolean isOurs = present.number() == wanted.number();
      return new Spawned(present.number(), isOurs, present.startedWith(wanted.fingerprint()));
    }
  }

  /**
   * Answers an answer from outside, or the expiry of a wait: the state of the wait now.
   *
   * @param isFirst whether it is this answer that decided
   */
  record Heard(
      long number,
      WaitState state,
      @Nullable String decision,
      @Nullable String by,
      @Nullable Instant at,
      boolean isFirst)
      implements Answer {}

  /** The run that was to be started existed, and its record has expired: nothing begins. */
  record SpawnExpired(String run, RunStatus status, Instant endedAt) implements Answer {
    public static SpawnExpired of(Tombstone tombstone) {
      return new SpawnExpired(tombstone.id().toString(), tombstone.status(), tombstone.endedAt());
    }
  }

  /**
   * Answers a run that found no free slot at its flow's gate: it waits in line.
   *
   * @param behind the public id of the run before it
   * @param displaced runs that were asked to cancel because of it
   */
  record Queued(String behind, List<Long> displaced) implements Answer {
    public Queued {
      displaced =
          displaced == null ? List.of() : List.copyOf(displaced); // an empty one is left out
    }
  }

  /**
   * The run holds the lock.
   *
   * @param fence a number that only grows from holder to holder
   */
  record Locked(long fence) implements Answer {}

  /**
   * The run waits for the lock and is woken when it has it.
   *
   * @param behind the public id of the run before it
   */
  record LockTaken(String behind) implements Answer {}

  /** The run can never get the lock, because of the locks that it holds itself. */
  record LockImpossible(String code, String why) implements Answer {}

  /**
   * Answers a request to the durable map.
   *
   * @param value the present value; left out if the caller has just written it, and therefore has
   *     it
   * @param version of the present entry; 0 if there is none
   */
  record Kv(@Nullable String value, long version, boolean written) implements Answer {
    /** Returns the present value, given the one that the caller brought. */
    public @Nullable String current(@Nullable String brought) {
      return written && value == null ? brought : value;
    }
  }

  /**
   * Answers a cancel that is accepted.
   *
   * @param first the request that counts: this one, or an earlier one
   */
  record Canceling(Run.Cancel first) implements Answer {}

  /**
   * Answers an end that is refused. The run goes on, to be canceled according to {@link
   * CancelRule}, or to learn what a person has decided.
   */
  record NotEnded(boolean isDecisionUnheard) implements Answer {
    /** Because the run is to be canceled. */
    public NotEnded() {
      this(false);
    }
  }

  /**
   * Answers a person's decision about an effect in review.
   *
   * @param holds false if the doubt has changed since the person looked at it: then nothing changed
   */
  record Decided(boolean holds) implements Answer {}

  /**
   * Answers effects that are brought in from outside.
   *
   * @param added how many rows are new
   * @param same how many rows the ledger had before, with the same content
   * @param kept the rows that the ledger has with other content, which stay as they are
   */
  record Imported(int added, int same, List<Kept> kept) implements Answer {
    public Imported {
      kept = kept == null ? List.of() : List.copyOf(kept); // an empty one is left out
    }

    /**
     * A row that stays.
     *
     * @param index of the row that was given, from 0 on
     * @param difference what the ledger has instead
     */
    public record Kept(int index, long effect, String difference) {}
  }

  /** Answers an external id that was found; false if the ledger has one, or the effect changed. */
  record IdAdopted(boolean adopted) implements Answer {}

  /**
   * Answers the wish to erase the values of a run.
   *
   * @param outcome what came of it
   * @param next the rows of the journal up to this one are done
   */
  record RunErased(Outcome outcome, long next) implements Answer {
    /** What came of it. */
    public enum Outcome {
      /** Nothing of it is left. */
      ERASED,
      /** A part of its journal is left: go on from {@code next}. */
      MORE,
      /** It has not ended, or its caller has not: nothing was changed. */
      OPEN,
      /** It owns an effect that is not settled: nothing was changed. */
      HELD,
      /** There is no such run of this tenant. */
      GONE
    }
  }

  /**
   * Answers the instants of a schedule.
   *
   * @param started how many runs it started
   * @param skipped how many instants got no run because of other runs
   */
  record Fired(int started, long skipped) implements Answer {}

  /**
   * Answers an event.
   *
   * @param event the number of its record
   * @param run the id of the run that answers it
   */
  record Received(long event, InboxOutcome outcome, @Nullable String run, @Nullable String detail)
      implements Answer {
    public static Received of(InboxEvent record) {
      return new Received(record.number(), record.outcome(), record.run(), record.detail());
    }

    /** The same event came before: its first answer counts. */
    public static Received again(InboxEvent first) {
      return new Received(
          first.number(),
          InboxOutcome.DUPLICATE,
          first.run(),
          "the event arrived before and was " + first.outcome().word());
    }
  }
}
