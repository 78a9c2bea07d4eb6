package dev.hapax.testkit.promise;

import dev.hapax.run.InboxOutcome;
import dev.hapax.run.Step;
import dev.hapax.run.Wait;
import dev.hapax.schedule.CatchUp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What somebody outside has seen of a feature. Each promise reads the kinds that it is about. */
public sealed interface Observation {
  /** What they were told, if they asked something. */
  default Call.@Nullable Answer told() {
    return null;
  }

  /**
   * Somebody answered a run that waits, and was told how the wait stands.
   *
   * @param number of the wait; 0 if the store had none when the token was outside already
   * @param said JSON text
   * @param told UNKNOWN if the node died before it answered
   * @param state null if nothing was told
   * @param heard JSON text of what decided
   */
  record WaitAnswered(
      long number,
      String said,
      Call.Answer told,
      Wait.@Nullable State state,
      boolean isFirst,
      @Nullable String heard)
      implements Observation {
    /** Refused, or nobody knows. */
    public static WaitAnswered unheard(long number, String said, Call.Answer told) {
      return new WaitAnswered(number, said, told, null, false, null);
    }
  }

  /** Code of a section under a lock was at work; in the order in which it was. */
  record LockUsed(String key, long fence, String run) implements Observation {}

  /** A body came to an effect with this content, perhaps again. */
  record EffectWanted(String run, Step step, String content) implements Observation {}

  /** A message arrived, perhaps again. */
  record MessageArrived(String id, String content) implements Observation {}

  /** Somebody answered with a token that nobody handed out. */
  record StrangerAnswered(Call.Answer told) implements Observation {}

  /**
   * Code of a run that passed a gate was at work.
   *
   * @param inside the runs that had come in and not ended, this one among them
   */
  record SlotUsed(String gate, int limit, List<String> inside) implements Observation {}

  /**
   * A call reached a destination that bears few at once.
   *
   * @param underWay the calls of this process that had begun and not ended, this one among them
   */
  record DestinationCalled(String destination, int limit, List<String> underWay)
      implements Observation {}

  /** Somebody started a run of a flow that limits them. */
  record VisitorTold(Call.Answer told) implements Observation {}

  /**
   * An event was delivered.
   *
   * @param after how many deliveries had been answered when this one began
   * @param at by the machine's clock
   * @param isSane whether an input can be made of it
   * @param outcome null if nothing was told
   */
  record EventTold(
      int after,
      Instant at,
      String event,
      String object,
      long version,
      boolean isSane,
      Call.Answer told,
      @Nullable InboxOutcome outcome,
      @Nullable String run)
      implements Observation {}

  /**
   * A schedule that was there.
   *
   * @param prefix of its runs' keys, before the nominal instant
   * @param begunAt its first instant that is known for sure
   */
  record Scheduled(
      String name,
      String flow,
      String prefix,
      Duration period,
      CatchUp catchUp,
      @Nullable Instant begunAt)
      implements Observation {}

  /** Somebody paused or resumed a schedule, or filled in what it had missed. */
  record SchedulerTold(Call.Answer told) implements Observation {}

  /**
   * Somebody came with a key, perhaps again.
   *
   * @param key of which flow
   * @param anew whether its flow begins anew when the run before has gone
   */
  record KeyReturned(String key, boolean anew, Call.Answer told, @Nullable String run)
      implements Observation {}

  /** Somebody had a key forgotten. */
  record KeyForgotten(String key, Call.Answer told) implements Observation {}

  /**
   * People want to be told.
   *
   * @param deliveries the flow that tells them, of which they are told nothing
   */
  record AlertsWanted(String deliveries) implements Observation {}

  /** People were told, perhaps again. */
  record AlertArrived(String message) implements Observation {}

  /** A node wrote although another one had taken runs over from it, or although it had left. */
  record WrittenByReplaced(long node, String what) implements Observation {}

  /**
   * A node took over a run of one that held its lease.
   *
   * @param rest of the lease, by true time
   */
  record TakenFromLiving(long run, long from, long to, Duration rest) implements Observation {}

  /**
   * The store accepted a cancel.
   *
   * @param op the group that brought it
   */
  record CancelAccepted(long run, long op) implements Observation {}

  /** Somebody outside put a value that perhaps nothing refers to. */
  record ValuePut(String ref) implements Observation {}

  /**
   * A body read a value.
   *
   * @param hash of what it got, as a reference; null if there was nothing
   */
  record ValueRead(String ref, @Nullable String hash) implements Observation {}

  /** A body got the result of a step that is too large for a journal. */
  record LargeResultRead(String key, boolean isAsWritten) implements Observation {}

  /** A body went on with the result of the child run that has this key. */
  record ChildReturned(String caller, String flow, String key) implements Observation {}
}
