package dev.hapax.store;

import dev.hapax.flow.Run;
import dev.hapax.run.Tombstone;
import dev.hapax.run.journal.Answer;
import java.util.List;

/** The outcome of a group. */
public sealed interface GroupAnswer {

  /** For a group that lands in any state of the store, unless the database refuses it. */
  default Landed unconditional(String what) {
    return switch (this) {
      case Landed landed -> landed;
      case Refused(var problem) ->
          throw new IllegalArgumentException("the store refused %s: %s".formatted(what, problem));
      case Lost _, Exists _, Expired _, Queued _, Busy _, Blocked _, NoSpace _ ->
          throw new IllegalStateException(
              "%s has no condition that could fail, but got %s".formatted(what, this));
    };
  }

  /**
   * It is durable.
   *
   * @param answers to its {@link Change.Claim}s and {@link Change.Attempt}s, in their order
   * @param woken runs without an owner that became due by it
   */
  record Landed(List<Answer> answers, List<Long> woken) implements GroupAnswer {}

  /**
   * The run that it inserts waits for a slot of its flow's concurrency limit: it is durable, queued
   * and without owner, and its journal holds only this. None of the group's own changes and entries
   * were written: the run reaches them when it has its slot.
   *
   * @param woken runs without an owner that became due by it
   */
  record Queued(Answer.Queued answer, List<Long> woken) implements GroupAnswer {}

  /**
   * No slot of the flow's concurrency limit is free, and the flow refuses runs in this case.
   * Nothing of it was written.
   *
   * @param holder the public id of a run that has a slot
   */
  record Busy(String holder) implements GroupAnswer {}

  /**
   * Its head did not hold: another writer was faster, or the predecessor of an inserted run is
   * gone. Nothing of it was written.
   */
  record Lost() implements GroupAnswer {}

  /** The run that it wanted to insert exists already. Nothing of it was written. */
  record Exists(Run run) implements GroupAnswer {}

  /** The run that it wanted to insert existed and has expired. Nothing of it was written. */
  record Expired(Tombstone tombstone) implements GroupAnswer {}

  /** The database refuses its data, and would again. Nothing of it was written. */
  record Refused(String problem) implements GroupAnswer {}

  /**
   * Another transaction holds a lock that it needs for longer than its batch waits, or an earlier
   * group of the same run is blocked. Nothing of it was written; the committer submits it again.
   */
  record Blocked(Obstacle obstacle) implements GroupAnswer {}

  /**
   * The store is full, and the group is a new run, an event, or what a caller outside waits for.
   * Nothing of it was written or ever will be. The committer's own answer, never a store's.
   */
  record NoSpace() implements GroupAnswer {}
}
