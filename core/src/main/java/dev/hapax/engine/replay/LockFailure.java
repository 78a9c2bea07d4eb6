package dev.hapax.engine.replay;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;

/** The failure of a step that asked for a lock it cannot get. */
public final class LockFailure {
  private LockFailure() {}

  public static Failure of(Step step, Answer.LockImpossible impossible) {
    boolean retryable = impossible.code().equals("deadlock"); // the other run may be gone by then
    return Failure.of(impossible.code(), impossible.why(), retryable).at(step);
  }
}
