package dev.hapax.effect;

import dev.hapax.run.Answer;
import dev.hapax.run.Fingerprint;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.RunId;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Step;
import dev.hapax.store.Change;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The run that an effect belongs to, as the effect sees it. What is added rides along with the next
 * commit, so that the outcome of one effect and the intent of the next are one commit.
 */
public interface RunPort {
  Identity identity();

  void add(JournalEntry entry, Change... changes);

  /** Makes everything that was added durable. */
  void commit();

  /**
   * What to write in the place of this result: itself, or the reference to it, if it is large. What
   * keeps it rides along with the next commit.
   */
  String keep(String json);

  /** Adds what asks the store something, makes everything durable, and hears the answer. */
  Answer ask(JournalEntry entry, Change question);

  /** Makes everything durable and lets the run leave memory until it is due or woken. */
  Unwind park(RunStatus status, @Nullable Instant dueAt);

  /**
   * Whether the run is to end early, by cancellation or timeout: what is in doubt is still settled,
   * nothing new begins.
   */
  boolean isStopping();

  /**
   * Whether other parts of the same run may be at work: then one of them can be at an effect that
   * this one wants too, and it waits for it as for another run's.
   */
  boolean isBesideOthers();

  /** Which part of the run claims, if several are at work beside each other; null if it is one. */
  @Nullable String branch();

  /** The newest failover past which it has slept; {@link Instant#MIN} if there is none. */
  Instant sleptPast();

  /** When the event happened that started the run; null unless that time is lost. */
  @Nullable Instant occurredAt();

  /** Ends the body of a run whose code and journal disagree. */
  Unwind mismatch(Step step, String difference);

  /** Ends the body of a run that is to end early. */
  Unwind stop();

  /**
   * What claims are made from; the input's fingerprint makes a rerun of the same work recognisable.
   */
  record Identity(String tenant, String flow, long run, RunId id, String key, Fingerprint input) {}
}
