package dev.hapax.testkit.promise;

import dev.hapax.CatchUp;
import dev.hapax.flow.InboxOutcome;
import dev.hapax.flow.Kind;
import dev.hapax.flow.Overlap;
import dev.hapax.flow.ReplayPlan;
import dev.hapax.flow.Step;
import dev.hapax.flow.WaitState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An observation of a feature from outside. Each promise reads the kinds that it is about. */
public sealed interface Observation {
  /** The answer that the observer got, if it asked something. */
  default ClientCall.@Nullable Answer told() {
    return null;
  }

  /**
   * A caller answered a waiting run, and learned the state of the wait.
   *
   * @param number of the wait; 0 if the store had none when the token was outside already
   * @param said JSON text
   * @param told UNKNOWN if the node died before it answered
   * @param state null if the caller got no answer
   * @param heard JSON text of the answer that decided
   */
  record WaitAnswered(
      long number,
      String said,
      ClientCall.Answer told,
      @Nullable WaitState state,
      boolean isFirst,
      @Nullable String heard)
      implements Observation {
    /** An answer that was refused, or whose outcome is unknown. */
    public static WaitAnswered unheard(long number, String said, ClientCall.Answer told) {
      return new WaitAnswered(number, said, told, null, false, null);
    }
  }

  /** Code of a section under a lock was at work. Observed in the order of that work. */
  record LockUsed(String key, long fence, String run) implements Observation {}

  /** A body reached an effect with this content, perhaps again. */
  record EffectWanted(String run, Step step, String content) implements Observation {}

  /** A message arrived, perhaps again. */
  record MessageArrived(String id, String content) implements Observation {}

  /** A caller answered with a token that was never handed out. */
  record StrangerAnswered(ClientCall.Answer told) implements Observation {}

  /**
   * Code of a run that passed a gate was at work.
   *
   * @param inside the runs that had come in and not ended, this one among them
   */
  record SlotUsed(String gate, int limit, List<String> inside) implements Observation {}

  /**
   * A call reached a destination with a low limit.
   *
   * @param underWay the calls of this process that had begun and not ended, this one among them
   */
  record DestinationCalled(String destination, int limit, List<String> underWay)
      implements Observation {}

  /** A caller started a run of a flow with a concurrency limit. */
  record VisitorTold(ClientCall.Answer told) implements Observation {}

  /**
   * An event was delivered.
   *
   * @param after how many deliveries had been answered when this one began
   * @param at by the machine's clock
   * @param newest not behind any time that this clock has shown; the engine's time is not after it,
   *     also if the clock was set back
   * @param content the key that its input has: events with one content are about one run
   * @param isSane whether an input can be made of it
   * @param outcome null if the sender got no answer
   */
  record EventTold(
      int after,
      Instant at,
      Instant newest,
      String event,
      String object,
      long version,
      String content,
      boolean isSane,
      ClientCall.Answer told,
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
      Overlap overlap,
      @Nullable Instant begunAt)
      implements Observation {}

  /** An operator paused or resumed a schedule, or filled in missed instants. */
  record SchedulerTold(ClientCall.Answer told) implements Observation {}

  /**
   * A caller came with a key, perhaps again.
   *
   * @param key of which flow
   * @param anew whether its flow begins anew when the earlier run has expired
   */
  record KeyReturned(String key, boolean anew, ClientCall.Answer told, @Nullable String run)
      implements Observation {}

  /** A caller had a key forgotten. */
  record KeyForgotten(String key, ClientCall.Answer told) implements Observation {}

  /**
   * Alerts are switched on.
   *
   * @param deliveries the flow that delivers the alerts, about which no alerts are sent
   */
  record AlertsWanted(String deliveries) implements Observation {}

  /** An alert arrived, perhaps again. */
  record AlertArrived(String message, String type) implements Observation {}

  /** People got a message about an approval. */
  record NoticeArrived(String message) implements Observation {}

  /** A node wrote although another node had taken over its runs, or although it had left. */
  record WrittenByReplaced(long node, String what) implements Observation {}

  /**
   * A node took over a run from a node that held its lease.
   *
   * @param rest of the lease, by true time
   */
  record TakenFromLiving(long run, long from, long to, Duration rest) implements Observation {}

  /**
   * The store accepted a cancel.
   *
   * @param op the group that carried it
   */
  record CancelAccepted(long run, long op) implements Observation {}

  /**
   * A process has ended, or has closed its engine; the store may have refused its last words.
   *
   * @param machine on which it was
   * @param killer the run whose code ended it; null if it was something else
   * @param after how many writes had landed
   * @param until how many had when nothing of it could land any more
   */
  record ProcessEnded(String machine, @Nullable String killer, long after, long until)
      implements Observation {}

  /**
   * A lock of another program held up what the engine notes beside runs; later writes overtook it.
   *
   * @param after how many writes had landed
   */
  record NoteHeldUp(long after) implements Observation {}

  /** A caller outside put a value that perhaps nothing refers to. */
  record ValuePut(String ref) implements Observation {}

  /**
   * A body read a value.
   *
   * @param hash of the content, as a reference; null if there was nothing
   */
  record ValueRead(String ref, @Nullable String hash) implements Observation {}

  /** A body got the result of a step that is too large for a journal. */
  record LargeResultRead(String key, boolean isAsWritten) implements Observation {}

  /** A person began a job. */
  record JobBegun(String job, Instant at, ClientCall.Answer told) implements Observation {}

  /**
   * A person applied the plan of a replay.
   *
   * @param mark the person, who does so once under this name
   * @param reason which the history keeps
   */
  record ReplayTold(String run, String mark, String reason, ReplayPlan plan, ClientCall.Answer told)
      implements Observation {}

  /**
   * A person said that another system has done an effect.
   *
   * @param told ACCEPTED if it added the row, DUPLICATE if the ledger had the same one, KEY_REUSED
   *     if it had another one
   */
  record EffectImported(String name, String key, Kind kind, ClientCall.Answer told)
      implements Observation {}

  /**
   * A person noted the id that an effect has at its destination.
   *
   * @param wireKey under which the destination has it
   * @param told ACCEPTED if the ledger took it, REFUSED if it did not
   */
  record IdAdopted(long effect, String wireKey, String externalId, ClientCall.Answer told)
      implements Observation {}

  /**
   * A person said that an effect happened and is to be undone.
   *
   * @param mark the person, who does so once under this name
   */
  record UndoWanted(String run, String mark, ClientCall.Answer told) implements Observation {}

  /** A person said that an effect of this run did not happen. */
  record SaidNotHappened(String run, ClientCall.Answer told) implements Observation {}

  /** A body continued with the result of the child run that has this key. */
  record ChildReturned(String caller, String flow, String key) implements Observation {}
}
