package dev.hapax.engine;

import dev.hapax.engine.StepState.Calling;
import dev.hapax.engine.StepState.Calling.Next;
import dev.hapax.run.Answer;
import dev.hapax.run.CallAnswer;
import dev.hapax.run.Failure;
import dev.hapax.run.JournalEntry;
import dev.hapax.run.RunStatus;
import dev.hapax.run.Step;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the entries about child runs from a journal: the state of each call. */
final class CallReplay {
  private final Map<Step, StepState> steps;
  private final Map<Step, Calling> children = new HashMap<>();

  /**
   * @param steps the steps of the whole journal, to which the calls are added
   */
  CallReplay(Map<Step, StepState> steps) {
    this.steps = steps;
  }

  void called(JournalEntry.Called call, Answer answer) {
    if (answer instanceof CallAnswer heard) {
      put(call.step(), stateAfter(call, heard)); // else it was refused, and the run is to end
    }
  }

  /** The run has looked at a child that it called before. */
  void heard(Step step, Answer answer, Next next) {
    Calling before = children.get(step);
    if (before == null || !(answer instanceof CallAnswer heard)) {
      throw new IllegalStateException(
          "the journal tells of a child of " + step + " that was never called");
    }
    StepState state = stateAfter(before.call(), heard);
    put(step, state instanceof Calling calling ? calling.then(next) : state);
  }

  void failed(JournalEntry.CallFailed failed) {
    put(failed.step(), new StepState.Failed(StepKind.CALL, failed.error()));
  }

  void spawned(JournalEntry.SpawnedRun spawned, Answer answer) {
    StepState state = stateAfter(spawned, answer);
    if (state != null) {
      put(spawned.step(), state);
    }
  }

  /**
   * Lets failed calls go on: children that ended without success, or were asked to end. Calls that
   * found no run to wait for are made again, like everything that a corrected input has changed.
   */
  void retried(boolean corrected) {
    if (!corrected) {
      children.forEach(
          (step, calling) -> {
            StepState state = steps.get(step);
            if (state instanceof Calling || state instanceof StepState.Failed) {
              steps.put(step, calling.then(Next.RETRY));
            }
          });
    }
  }

  private void put(Step step, StepState state) {
    steps.put(step, state);
    if (state instanceof Calling calling) {
      children.put(step, calling);
    }
  }

  /** Used both for a call that was just answered and for one that is read from the journal. */
  static StepState stateAfter(JournalEntry.Called call, CallAnswer heard) {
    return switch (heard) {
      case CallAnswer.UnderWay(long child, boolean isOwn, _, _) ->
          new Calling(call, child, isOwn, Next.LOOK);
      case CallAnswer.LetGo(long child) -> new Calling(call, child, false, Next.STOPPED);
      case CallAnswer.Ended ended when ended.status() == RunStatus.SUCCEEDED ->
          StepState.done(StepKind.CALL, ended.output());
      default -> new StepState.Failed(StepKind.CALL, ChildFailure.of(call, heard));
    };
  }

  /** Null if it was refused, because the run is to be canceled. */
  static @Nullable StepState stateAfter(JournalEntry.SpawnedRun spawned, Answer answer) {
    return switch (answer) {
      case Answer.Spawned met when met.sameInput() || spawned.anyInput() ->
          StepState.done(StepKind.SPAWN, "\"" + spawned.child() + "\"");
      case Answer.Spawned _ ->
          failed(spawned, ChildFailure.keyReused(spawned.flow(), spawned.key(), spawned.child()));
      case Answer.SpawnExpired _ ->
          failed(spawned, ChildFailure.keyExpired(spawned.flow(), spawned.key(), spawned.child()));
      default -> null;
    };
  }

  private static StepState failed(JournalEntry.SpawnedRun spawned, Failure failure) {
    return new StepState.Failed(StepKind.SPAWN, failure.at(spawned.step()));
  }
}
