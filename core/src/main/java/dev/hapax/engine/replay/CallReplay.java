package dev.hapax.engine.replay;

import dev.hapax.engine.replay.StepState.Calling;
import dev.hapax.engine.replay.StepState.Calling.Next;
import dev.hapax.flow.Erased;
import dev.hapax.flow.Failure;
import dev.hapax.flow.RunStatus;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.CallAnswer;
import dev.hapax.run.journal.CallEntry;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the entries about child runs from a journal: the state of each call. */
public final class CallReplay {
  private final Map<Step, StepState> steps;
  private final Unvisited unvisited;
  private final Map<Step, Calling> children = new HashMap<>();

  /**
   * @param steps the steps of the whole journal, to which the calls are added
   */
  CallReplay(Map<Step, StepState> steps, Unvisited unvisited) {
    this.steps = steps;
    this.unvisited = unvisited;
  }

  void read(CallEntry entry, Iterator<Answer> answers) {
    switch (entry) {
      case CallEntry.Called called -> called(called, answers.next());
      case CallEntry.CallAwaited(var step, _) -> heard(step, answers.next(), afterLooking(step));
      case CallEntry.CallRetried(var step, _) -> heard(step, answers.next(), Next.LOOK);
      case CallEntry.CallStopped(var step, _) -> heard(step, answers.next(), Next.STOPPED);
      case CallEntry.CallFailed failed ->
          put(failed.step(), new StepState.Failed(StepKind.CALL, failed.error()));
      case CallEntry.SpawnedRun spawned -> spawned(spawned, answers.next());
    }
  }

  private void called(CallEntry.Called call, Answer answer) {
    if (answer instanceof CallAnswer heard) {
      put(call.step(), stateAfter(call, heard)); // else it was refused, and the run is to end
    }
    handedOverIfRecorded(call.step());
  }

  /** The run has looked at a child that it called before. */
  private void heard(Step step, Answer answer, Next next) {
    Calling before = children.get(step);
    if (before == null || !(answer instanceof CallAnswer heard)) {
      throw new IllegalStateException(
          "the journal has an answer of a child of " + step + " that was never called");
    }
    StepState state = stateAfter(before.call(), heard);
    put(step, state instanceof Calling calling ? calling.then(next) : state);
  }

  private void spawned(CallEntry.SpawnedRun spawned, Answer answer) {
    StepState state = stateAfter(spawned, answer);
    if (state != null) {
      put(spawned.step(), state);
    }
    handedOverIfRecorded(spawned.step());
  }

  /** A step that was refused will be asked for again. */
  private void handedOverIfRecorded(Step step) {
    if (steps.containsKey(step)) {
      unvisited.handedOver(step);
    }
  }

  /** A child that was asked to end keeps that state. */
  private Next afterLooking(Step step) {
    return steps.get(step) instanceof Calling calling ? calling.next() : Next.LOOK;
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

  /** Attaches the children of these calls again: each call hears how its child has ended now. */
  void replayed(Set<Step> again) {
    children.forEach(
        (step, calling) -> {
          StepState state = steps.get(step);
          if (again.contains(step) && state != null && state.kind() == StepKind.CALL) {
            steps.put(step, calling.then(Next.LOOK));
          }
        });
  }

  private void put(Step step, StepState state) {
    steps.put(step, state);
    if (state instanceof Calling calling) {
      children.put(step, calling);
    }
  }

  /** Used both for a call that was just answered and for one that is read from the journal. */
  public static StepState stateAfter(CallEntry.Called call, CallAnswer heard) {
    return switch (heard) {
      case CallAnswer.UnderWay(long child, boolean isOwn, _, _) ->
          new Calling(call, child, isOwn, Next.LOOK);
      case CallAnswer.LetGo(long child) -> new Calling(call, child, false, Next.STOPPED);
      case CallAnswer.Ended ended
          when ended.status() == RunStatus.SUCCEEDED && !Erased.is(ended.output()) ->
          StepState.done(StepKind.CALL, ended.output());
      default -> new StepState.Failed(StepKind.CALL, ChildFailure.of(call, heard));
    };
  }

  /** Null if it was refused, because the run is to be canceled. */
  public static @Nullable StepState stateAfter(CallEntry.SpawnedRun spawned, Answer answer) {
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

  private static StepState failed(CallEntry.SpawnedRun spawned, Failure failure) {
    return new StepState.Failed(StepKind.SPAWN, failure.at(spawned.step()));
  }
}
