package dev.hapax.engine;

import dev.hapax.effect.EffectProgress;
import dev.hapax.flow.Items;
import dev.hapax.run.Failure;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a step of a run has come to. */
sealed interface StepState {
  StepKind kind();

  static StepState done(StepKind kind, @Nullable String output) {
    return new Finished(kind, output);
  }

  /** A wait is over whatever the input was; all else was computed from it. */
  default boolean dependsOnInput() {
    return kind() != StepKind.WAIT;
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

  record Waiting(Instant until) implements StepState {
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
    @Override
    public StepKind kind() {
      return StepKind.LOOP;
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
