package dev.hapax.run.journal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Step;

/** A child run that the run called, or another run that it started. */
@JsonSubTypes({
  @JsonSubTypes.Type(value = CallEntry.Called.class, name = "called"),
  @JsonSubTypes.Type(value = CallEntry.CallAwaited.class, name = "call-awaited"),
  @JsonSubTypes.Type(value = CallEntry.CallRetried.class, name = "call-retried"),
  @JsonSubTypes.Type(value = CallEntry.CallStopped.class, name = "call-stopped"),
  @JsonSubTypes.Type(value = CallEntry.CallFailed.class, name = "call-failed"),
  @JsonSubTypes.Type(value = CallEntry.SpawnedRun.class, name = "spawned-run"),
})
public sealed interface CallEntry extends JournalEntry {
  @Override
  Step step();

  /**
   * A child run was called, on this release for good; the journal row holds the answer about the
   * child beside it.
   */
  record Called(Step step, String flow, int release, String key, String child)
      implements CallEntry {}

  /** Woken, the run looked at its child again; the journal row holds the answer. */
  record CallAwaited(Step step, long child) implements CallEntry {}

  /** Retried, the run lets its child go on if it failed; the journal row holds the answer. */
  record CallRetried(Step step, long child) implements CallEntry {}

  /** The run is to end early and asked its child to end; the journal row holds the answer. */
  record CallStopped(Step step, long child) implements CallEntry {}

  /** The call could not be made. */
  record CallFailed(Step step, Failure error) implements CallEntry {}

  /**
   * Another run was started and is not waited for; the journal row holds the answer.
   *
   * @param anyInput whether a run of this key with another input is taken too
   */
  record SpawnedRun(Step step, String flow, int release, String key, String child, boolean anyInput)
      implements CallEntry {}
}
