package dev.hapax.engine;

import dev.hapax.effect.EffectProgress;
import dev.hapax.flow.Items;
import dev.hapax.run.Answer;
import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a step of a run has come to. */
sealed interface StepState {
  StepKind kind();

  static StepState done(StepKind kind, @Nullable String output) {
    return new Finished(kind, output);
  }

  /**
   * A wait is over whatever the input was, nobody sends a callback twice, and a run that was
   * started goes on; all else was computed from the input. So was what people were asked: they
   * approved the old one.
   */
  default boolean dependsOnInput() {
    return switch (kind()) {
      case WAIT, CALLBACK, SPAWN -> false;
      default -> true;
    };
  }

  record Finished(StepKind kind, @Nullable String output) implements StepState {}

  record Failed(StepKind kind, Failure error) implements StepState {}

  /** A read that failed and may be tried again. */
  record ReadAgain(int attempts, Instant since, Instant retryAt) implements StepState {
    ReadAgain failedAgain(int attempt, Instant retry) {
      return new ReadAgain(attempt, since, retry);
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

  /** A loop with items that have not ended. */
  record Looping() implements StepState {
    @Override
    public StepKind kind() {
      return StepKind.LOOP;
    }
  }

  /** A loop all of whose items have ended. */
  record Looped(Items items) implements StepState {
    static Looped of(JournalEntry.LoopEnded ended) {
      List<Items.Failed> failures =
          ended.failures().stream()
              .map(
                  failure ->
                      new Items.Failed(
                          String.valueOf(failure.item()), failure.code(), failure.message()))
              .toList();
      return new Looped(new Items(ended.succeeded(), ended.failed(), failures));
    }

    @Override
    public StepKind kind() {
      return StepKind.LOOP;
    }
  }

  /**
   * A wait for a callback or an approval that the run has not heard the end of.
   *
   * @param number of the wait in the store
   * @param isAwaited whether the run has come to it
   */
  record Asked(
      StepKind kind,
      long number,
      boolean isAwaited,
      @Nullable Instant expiresAt,
      boolean failsIfRejected,
      @Nullable Instant since)
      implements StepState {

    static Asked opened(long number) {
      return new Asked(StepKind.CALLBACK, number, false, null, false, null);
    }
  }

  /**
   * A child run that has not ended as far as its caller knows, or that is to go on.
   *
   * @param isOwn whether the caller started it
   */
  record Calling(JournalEntry.Called call, long child, boolean isOwn, Next next)
      implements StepState {
    /** What the caller does about the child when it comes to it. */
    enum Next {
      /** Hear whether it has ended. */
      LOOK,
      /** Let it go on if it failed: the caller was retried. */
      RETRY,
      /** Nothing: it was asked to end. */
      STOPPED
    }

    Calling then(Next what) {
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

  /** The durable map has been asked. */
  record KvAnswered(JournalEntry.KvAsked asked, Answer.Kv answer) implements StepState {
    @Override
    public StepKind kind() {
      return StepKind.KV;
    }

    /** What this run has put there itself must not be in its own way when it is asked again. */
    @Override
    public boolean dependsOnInput() {
      return !(asked.action().isConditional() && answer.written());
    }
  }

  /** An effect that its run has claimed and not settled. */
  record Open(EffectProgress progress) implements StepState {
    @Override
    public StepKind kind() {
      return StepKind.EFFECT;
    }
  }
}
