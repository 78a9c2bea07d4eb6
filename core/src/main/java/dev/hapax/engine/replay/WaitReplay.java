package dev.hapax.engine.replay;

import dev.hapax.flow.Step;
import dev.hapax.run.journal.WaitEntry;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the entries about waits from a journal: the state of each wait. */
final class WaitReplay {
  private final Map<Step, StepState> steps;
  private final WaitBook waits;
  private final Map<Step, StepState.Waiting> sleeps = new HashMap<>();

  /**
   * @param steps the steps of the whole journal, to which the waits are added
   */
  WaitReplay(Map<Step, StepState> steps, WaitBook waits) {
    this.steps = steps;
    this.waits = waits;
  }

  void read(WaitEntry entry, Instant at) {
    waits.note(entry);
    switch (entry) {
      case WaitEntry.WaitStarted(var step, var until) ->
          steps.put(step, new StepState.Waiting(at, until));
      case WaitEntry.WaitEnded(var step) -> {
        StepState was = steps.put(step, StepState.done(StepKind.WAIT, null));
        if (was instanceof StepState.Waiting slept) {
          sleeps.put(step, slept);
        }
      }
      case WaitEntry.CallbackOpened(var step, long number, _) ->
          steps.put(step, StepState.Asked.opened(number));
      case WaitEntry.CallbackAwaited(var step, long number, var expiresAt, _) ->
          steps.put(
              step, new StepState.Asked(StepKind.CALLBACK, number, true, expiresAt, false, at));
      case WaitEntry.ApprovalLinked _ -> {} // the approval itself is asked later
      case WaitEntry.ApprovalAsked asked ->
          steps.put(
              asked.step(),
              new StepState.Asked(
                  StepKind.APPROVAL,
                  asked.number(),
                  true,
                  asked.expiresAt(),
                  asked.failsIfRejected(),
                  at));
      case WaitEntry.WaitSettled settled -> {
        if (steps.get(settled.step()) instanceof StepState.Asked asked) {
          steps.put(settled.step(), WaitOutcome.of(asked, settled));
        }
      }
    }
  }

  /** A sleep that has ended; null if the journal does not hold it. */
  StepState.@Nullable Waiting sleep(Step step) {
    return sleeps.get(step);
  }

  /** The token of an expired callback is still in use, and its wait is open again. */
  void retried() {
    steps.replaceAll(this::awaitAgain);
  }

  private StepState awaitAgain(Step step, StepState state) {
    Long number = waits.callback(step);
    return state instanceof StepState.Failed && state.kind() == StepKind.CALLBACK && number != null
        ? StepState.Asked.opened(number)
        : state;
  }
}
