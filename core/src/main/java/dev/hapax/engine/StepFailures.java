package dev.hapax.engine;

import dev.hapax.flow.StepFailed;
import dev.hapax.run.Failure;

/** Turns a recorded failure into the exception that the body gets. */
final class StepFailures {
  private StepFailures() {}

  static StepFailed of(Failure error) {
    String step = error.step();
    return new StepFailed(
        error.code(), error.message(), step == null ? "" : step, error.item(), error.retryable());
  }
}
