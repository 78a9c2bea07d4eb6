package dev.hapax.engine.pass;

import dev.hapax.engine.replay.StepKind;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Step;
import dev.hapax.flow.StepFailed;
import org.jspecify.annotations.Nullable;

/** The place in a body where a step is executed: the run itself, an item or a round. */
interface StepPlace {
  /** The work of a step inside the engine, given its state in the journal. */
  @FunctionalInterface
  interface Work<T extends @Nullable Object> {
    T with(Step step, @Nullable StepState state);
  }

  /** Executes work of the engine for the step with this name. */
  <T extends @Nullable Object> T inEngine(String name, StepKind kind, Work<T> work);

  /** Returns the step with this name at this place. */
  Step step(String name);

  /** Returns the same place for another fiber. */
  RunContext in(Fiber beside);

  /** Returns an item inside this place for another fiber. */
  RunContext in(Fiber beside, @Nullable String itemKey);

  /** Records the failure of a step, and returns the exception for the body. */
  StepFailed fail(Step step, Failure failure);

  /** Refuses to begin anything new if the run is to end or the engine closes. */
  void stopIfAsked();

  /** Returns the value that a recorded text is or refers to. */
  String valueOf(String stored);
}
