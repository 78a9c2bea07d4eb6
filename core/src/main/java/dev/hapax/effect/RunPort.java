package dev.hapax.effect;

import dev.hapax.flow.Fingerprint;
import dev.hapax.flow.RunId;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.JournalEntry;
import dev.hapax.run.ledger.ReplayClaim;
import dev.hapax.store.Change;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The run that an effect belongs to, as the effect sees it. Added entries are written with the next
 * commit, so that the outcome of one effect and the intent of the next are one commit.
 */
public interface RunPort {
  Identity identity();

  void add(JournalEntry entry, Change... changes);

  /** Makes everything that was added durable. */
  void commit();

  /**
   * Returns the text to write for this result: the result itself, or a reference if it is large.
   * The next commit also writes the large value.
   */
  String keep(String json);

  /** Adds a question to the store, makes everything durable, and returns the answer. */
  Answer ask(JournalEntry entry, Change question);

  /** Makes everything durable and unloads the run until it is due or woken. */
  Unwind park(RunStatus status, @Nullable Instant dueAt);

  /**
   * Whether the run is to end early, by cancellation or timeout: doubts are still settled, nothing
   * new begins.
   */
  boolean isStopping();

  /**
   * Whether other fibers of the same run may be at work. One of them can then hold an effect that
   * this one wants too, and this one waits for it as for another run's.
   */
  boolean isBesideOthers();

  /** The fiber of the run that claims, if several work in parallel; null if there is one. */
  @Nullable String branch();

  /** The newest failover past which it has slept; {@link Instant#MIN} if there is none. */
  Instant sleptPast();

  /** When the event happened that started the run; null unless that time is lost. */
  @Nullable Instant occurredAt();

  /** Alerts people: calls of this run have opened the circuit breaker of a destination. */
  void circuitOpened(Step step, String destination);

  /**
   * Whether the run itself settles this effect in review, by a late answer. False if a person has
   * decided about it since the run came into memory; if true, no person does so beside the run.
   */
  boolean settlesByAnswer(Step step);

  /** What the last replay of the run says about this claim; null if it was never replayed. */
  @Nullable ReplayClaim replay(Step step, String name, String key);

  /** Ends the body of a replayed run that would send what its plan does not have. */
  Unwind planStale(Step step, String what);

  /** What the plan of a replay refused to this step before; null if it refused nothing. */
  ClaimAnswer.@Nullable NotPlanned refusedByPlan(Step step);

  /** Ends the body of a run whose code and journal disagree. */
  Unwind mismatch(Step step, String difference);

  /** Ends the body of a run that is to end early. */
  Unwind stop();

  /** The basis of claims; the input's fingerprint identifies a rerun of the same work. */
  record Identity(String tenant, String flow, long run, RunId id, String key, Fingerprint input) {}
}
