package dev.hapax.engine.replay;

import dev.hapax.flow.Erased;
import dev.hapax.flow.Failure;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.journal.CallEntry;
import dev.hapax.run.wait.WaitCycle;

/** Builds the failure of a call of a child run, with a message that names the child. */
public final class ChildFailure {
  private ChildFailure() {}

  static Failure of(CallEntry.Called call, CallAnswer heard) {
    Failure failure =
        switch (heard) {
          case CallAnswer.Ended ended -> ended(call, ended);
          case CallAnswer.KeyReused _ -> keyReused(call.flow(), call.key(), call.child());
          case CallAnswer.Cycle _ -> cycle(call);
          case CallAnswer.Gone _ ->
              Failure.of(
                  "key-expired",
                  "child run %s of flow '%s' has expired, so its result is unknown. Settle the step by hand."
                      .formatted(call.child(), call.flow()),
                  false);
          case CallAnswer.UnderWay _, CallAnswer.LetGo _ ->
              throw new IllegalArgumentException("this call has not failed: " + heard);
        };
    return failure.at(call.step());
  }

  private static Failure ended(CallEntry.Called call, CallAnswer.Ended ended) {
    if (Erased.is(ended.output())) {
      return Failure.of(
          "run-erased",
          "child run %s of flow '%s' succeeded, and its result was erased for a person. Settle the step by hand."
              .formatted(call.child(), call.flow()),
          false);
    }
    Failure error = ended.error();
    String message =
        "child run %s of flow '%s' ended as %s"
            .formatted(call.child(), call.flow(), ended.status().word());
    return error == null
        ? Failure.of(ended.status().word(), message, true)
        : Failure.of(error.code(), message + ": " + error.message(), error.retryable());
  }

  static Failure keyReused(String flow, String key, String child) {
    return Failure.of(
        "key-reused",
        "key '%s' of flow '%s' belongs to run %s, started with another input. Use another key, or give the flow the conflict rule 'return' to get the first run."
            .formatted(key, flow, child),
        false);
  }

  static Failure keyExpired(String flow, String key, String child) {
    return Failure.of(
        "key-expired",
        "key '%s' of flow '%s' belonged to run %s, which has ended and expired. Use another key."
            .formatted(key, flow, child),
        false);
  }

  private static Failure cycle(CallEntry.Called call) {
    return Failure.of(
        "child-cycle",
        "run %s of flow '%s' already waits for this run, directly or through other runs (or more than %,d runs wait for it), or waits for a slot or lock that is free only when this run has ended. Neither run would ever end. Call it under another key, or start it with run.spawn and do not wait."
            .formatted(call.child(), call.flow(), WaitCycle.MOST_WAITERS),
        false);
  }

  public static Failure tooDeep(String flow, int depth) {
    return Failure.of(
        "child-depth",
        "%d runs above this one already wait, each for the child that it called, so flow '%s' was not called. End the recursion of a flow that calls itself, or start runs that need no wait with run.spawn."
            .formatted(depth, flow),
        false);
  }
}
