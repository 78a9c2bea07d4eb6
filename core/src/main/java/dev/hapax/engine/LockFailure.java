package dev.hapax.engine;

import dev.hapax.run.Answer;
import dev.hapax.run.Failure;
import dev.hapax.run.Step;

/** The failure of a step that asked for a lock it cannot get. */
final class LockFailure {
  private LockFailure() {}

  static Failure of(Step step, Answer.LockImpossible impossible) {
    boolean retryable = impossible.code().equals("deadlock"); // the other run may be gone by then
    return Failure.of(impossible.code(), impossible.why(), retryable).at(step);
  }
}
