package dev.hapax.flow;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that a run waits for before it continues, as it is now. A run with parallel branches
 * can wait for several things.
 *
 * @param where the step that waits; null if the whole run does
 * @param key of a lock, a slot or an effect
 * @param message a clause for people whose subject is the run: "waits for a callback"
 * @param until when the run looks again, or the wait expires; null if only an event ends it
 * @param approval the id of the approval
 * @param effect the id of the effect that another run is working on, or that is in review
 * @param runs the runs that it waits for. After a child come those of the child's own descendants
 *     that need a person.
 * @param asksPerson whether it ends only if a person decides something, here or in one of the runs
 */
public record RunWait(
    Cause cause,
    @Nullable Step where,
    @Nullable String key,
    String message,
    @Nullable Instant until,
    @Nullable String approval,
    @Nullable String effect,
    List<Other> runs,
    boolean asksPerson) {

  /** The kind of a wait. The words are part of the public contract. */
  public enum Cause {
    /** A slot of its flow's concurrency limit. */
    SLOT,
    LOCK,
    /** Another run is working on the same effect. */
    EFFECT,
    /** A run that it called. */
    CHILD,
    CALLBACK,
    APPROVAL,
    /** One of its effects is in review. */
    REVIEW,
    TIMER,
    /** The next attempt of a step that was not successful so far. */
    RETRY,
    /** A rate limit, the calls under way, a circuit breaker or the node's memory. */
    TURN,
    /** The code of its release is not registered. */
    CODE,
    QUARANTINE,
    /** The store was restored or copied, and no person has declared what it is. */
    RESTORE,
    /** Its tenant is suspended. */
    SUSPENSION,
    /** Its tenant has as many runs in memory as its quota allows. */
    QUOTA;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Another run.
   *
   * @param asksPerson whether this run itself needs a person
   */
  public record Other(String id, String flow, String key, RunStatus status, boolean asksPerson) {
    public static Other of(Run run, boolean asksPerson) {
      return new Other(run.id().toString(), run.flow(), run.key(), run.shownStatus(), asksPerson);
    }
  }

  public static RunWait of(Cause cause, @Nullable Step where, String message) {
    boolean asks =
        switch (cause) {
          case APPROVAL, REVIEW, QUARANTINE, RESTORE -> true;
          default -> false;
        };
    return new RunWait(cause, where, null, message, null, null, null, List.of(), asks);
  }

  public RunWait key(@Nullable String text) {
    return new RunWait(cause, where, text, message, until, approval, effect, runs, asksPerson);
  }

  public RunWait until(@Nullable Instant at) {
    return new RunWait(cause, where, key, message, at, approval, effect, runs, asksPerson);
  }

  public RunWait approval(String id) {
    return new RunWait(cause, where, key, message, until, id, effect, runs, asksPerson);
  }

  public RunWait effect(String id) {
    return new RunWait(cause, where, key, message, until, approval, id, runs, asksPerson);
  }

  public RunWait runs(List<Other> others) {
    return new RunWait(
        cause, where, key, message, until, approval, effect, List.copyOf(others), asksPerson);
  }

  public RunWait asksPerson(boolean asks) {
    return new RunWait(cause, where, key, message, until, approval, effect, runs, asks);
  }
}
