package dev.hapax.engine.replay;

import dev.hapax.effect.EffectProgress;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Items;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.StepEntry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of a step of a run. */
public sealed interface StepState {
  StepKind kind();

  static StepState done(StepKind kind, @Nullable String output) {
    return new Finished(kind, output);
  }

  /**
   * Whether the state was computed from the input. A wait is over with any input, a callback is not
   * sent twice, and a run that was started goes on. Everything else depends on the input, also
   * approvals: people approved the old one.
   */
  default boolean dependsOnInput() {
    return switch (kind()) {
      case WAIT, CALLBACK, SPAWN -> false;
      default -> true;
    };
  }

  /** The same state, with its next attempt due at once if it only waits for it. */
  default StepState withoutPause() {
    return this;
  }

  /** Whether its next attempt is due, and only later than this. */
  default boolean pausesAt(Instant now) {
    return false;
  }

  record Finished(StepKind kind, @Nullable String output) implements StepState {}

  record Failed(StepKind kind, Failure error) implements StepState {}

  /** An effect of the run that has other content now: a revision is undone before it is sent. */
  record Revising(ClaimAnswer.UndoFirst undo) implements StepState {
    @Override
    public StepKind kind() {
      return StepKind.EFFECT;
    }
  }

  /** A read that failed and may be tried again. */
  record ReadAgain(int attempts, Instant since, Instant retryAt) implements StepState {
    ReadAgain failedAgain(int attempt, Instant retry) {
      return new ReadAgain(attempt, since, retry);
    }

    @Override
    public StepState withoutPause() {
      return new ReadAgain(attempts, since, since);
    }

    @Override
    public boolean pausesAt(Instant now) {
      return retryAt.isAfter(now);
    }

    @Override
    public StepKind kind() {
      return StepKind.STEP;
    }
  }

  record Waiting(Instant from, Instant until) implements StepState {
    @Override
    public StepKind kind() {
      return StepKind.WAIT;
    }
  }

  /**
   * A loop with items that have not ended.
   *
   * @param ended of a repetition: so many rounds are known to have ended
   */
  record Looping(int ended) implements StepState {
    public Looping() {
      this(0);
    }

    @Override
    public StepKind kind() {
      return StepKind.LOOP;
    }
  }

  /**
   * A loop all of whose items have ended.
   *
   * @param results of the items, as they are recorded; null if the journal does not hold them
   */
  record Looped(Items items, @Nullable String results) implements StepState {
    public static Looped of(LoopEntry.LoopEnded ended) {
      List<Items.Failed> failures =
          ended.failures().stream()
              .map(
                  failure ->
                      new Items.Failed(
                          String.valueOf(failure.item()), failure.code(), failure.message()))
              .toList();
      return new Looped(new Items(ended.succeeded(), ended.failed(), failures), ended.results());
    }

    @Override
    public StepKind kind() {
      return StepKind.LOOP;
    }
  }

  /**
   * A wait for a callback or an approval whose end the run does not know yet.
   *
   * @param number of the wait in the store
   * @param isAwaited whether the run has reached it
   */
  record Asked(
      StepKind kind,
      long number,
      boolean isAwaited,
      @Nullable Instant expiresAt,
      boolean failsIfRejected,
      @Nullable Instant since)
      implements StepState {

    public static Asked opened(long number) {
      return new Asked(StepKind.CALLBACK, number, false, null, false, null);
    }
  }

  /**
   * A child run that has not ended as far as its caller knows, or that is to go on.
   *
   * @param isOwn whether the caller started it
   */
  record Calling(CallEntry.Called call, long child, boolean isOwn, Next next) implements StepState {
    /** What the caller does when it reaches the call. */
    public enum Next {
      /** Ask whether the child has ended. */
      LOOK,
      /** Retry the child if it failed: the caller was retried. */
      RETRY,
      /** Nothing: the child was asked to end. */
      STOPPED
    }

    public Calling then(Next what) {
      return new Calling(call, child, isOwn, what);
    }

    @Override
    public StepKind kind() {
      return StepKind.CALL;
    }
  }

  /** A section under a lock that the run holds. */
  record Locked(long fence) implements StepState {
    @Override
    public StepKind kind() {
      return StepKind.LOCK;
    }
  }

  /** The durable map has answered. */
  record KvAnswered(StepEntry.KvAsked asked, Answer.Kv answer) implements StepState {
    @Override
    public StepKind kind() {
      return StepKind.KV;
    }

    /** The run's own earlier write must not block it when it asks again. */
    @Override
    public boolean dependsOnInput() {
      return !(asked.action().isConditional() && answer.written());
    }
  }

  /** An effect that its run has claimed and not settled. */
  record Open(EffectProgress progress) implements StepState {
    @Override
    public StepState withoutPause() {
      return new Open(progress.withoutPause());
    }

    @Override
    public boolean pausesAt(Instant now) {
      Instant retryAt = progress.retryAt();
      return retryAt != null && retryAt.isAfter(now);
    }

    @Override
    public StepKind kind() {
      return StepKind.EFFECT;
    }
  }
}
