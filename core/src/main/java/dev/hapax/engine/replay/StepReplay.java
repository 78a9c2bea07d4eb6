package dev.hapax.engine.replay;

import dev.hapax.flow.Failure;
import dev.hapax.flow.Step;
import dev.hapax.json.Json;
import dev.hapax.run.journal.Answer;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.LockEntry;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.StepEntry;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the entries about steps that are no effects, about loops and about locks. */
final class StepReplay {
  private final Map<Step, StepState> steps;
  private final Map<Step, StepState> items;
  private final WaitBook waits;
  private final Undoables undoables;
  private final Unvisited unvisited;
  private final ReplayBook replays;

  /**
   * @param steps the steps of the whole journal, to which these are added
   * @param items the ends of loop items
   */
  StepReplay(
      Map<Step, StepState> steps,
      Map<Step, StepState> items,
      WaitBook waits,
      Undoables undoables,
      Unvisited unvisited,
      ReplayBook replays) {
    this.steps = steps;
    this.replays = replays;
    this.items = items;
    this.waits = waits;
    this.undoables = undoables;
    this.unvisited = unvisited;
  }

  void read(StepEntry entry, Iterator<Answer> answers, Instant at) {
    switch (entry) {
      case StepEntry.StepDone(var step, var output) ->
          steps.put(step, StepState.done(StepKind.STEP, output));
      case StepEntry.Branched(var step, var branch) ->
          steps.put(step, StepState.done(StepKind.STEP, Json.write(branch)));
      case StepEntry.StepFailed(var step, var error) ->
          steps.put(step, new StepState.Failed(StepKind.STEP, error));
      case StepEntry.ReadFailed(var step, int attempt, _, var retryAt) ->
          steps.merge(
              step,
              new StepState.ReadAgain(attempt, at, retryAt),
              (was, is) ->
                  was instanceof StepState.ReadAgain again
                      ? again.failedAgain(attempt, retryAt)
                      : is);
      case StepEntry.StepSettled(var step, var output, _, _) -> {
        settleByHand(step, output);
        undoables.done(step, output, false);
        unvisited.done(step);
        replays.done(step, output);
      }
      case StepEntry.Published(var step, var message, _, _) -> {
        // The history shows whether the delivery is new.
        if (!(answers.hasNext() && answers.next() instanceof ClaimAnswer.Refused)) {
          steps.put(step, StepState.done(StepKind.MESSAGE, Json.write(message)));
          unvisited.handedOver(step);
        }
      }
      case StepEntry.KvAsked asked -> readKv(asked, (Answer.Kv) answers.next());
    }
  }

  private void readKv(StepEntry.KvAsked asked, Answer.Kv answer) {
    Failure failure = KvFailure.of(asked, answer);
    steps.put(
        asked.step(),
        failure == null
            ? new StepState.KvAnswered(asked, answer)
            : new StepState.Failed(StepKind.KV, failure));
  }

  void read(LoopEntry entry) {
    waits.note(entry);
    switch (entry) {
      case LoopEntry.LoopStarted(var step, _, _, var ended) ->
          steps.put(step, new StepState.Looping(ended == null ? 0 : ended));
      case LoopEntry.ItemEnded(var step, var error, var output) -> {
        items.put(
            step,
            error == null
                ? StepState.done(StepKind.ITEM, output)
                : new StepState.Failed(StepKind.ITEM, error));
        unvisited.itemEnded(step, error != null);
      }
      case LoopEntry.LoopEnded ended -> steps.put(ended.step(), StepState.Looped.of(ended));
    }
  }

  void read(LockEntry entry, Iterator<Answer> answers) {
    switch (entry) {
      case LockEntry.LockAsked(var step, _) -> readLock(step, answers);
      case LockEntry.LockReleased(var step, _, long fence) ->
          steps.put(step, StepState.done(StepKind.LOCK, Long.toString(fence)));
    }
  }

  private void readLock(Step step, Iterator<Answer> answers) {
    switch (answers.next()) {
      case Answer.Locked(long fence) -> steps.put(step, new StepState.Locked(fence));
      case Answer.LockImpossible impossible ->
          steps.put(step, new StepState.Failed(StepKind.LOCK, LockFailure.of(step, impossible)));
      default -> {} // it will be asked for again
    }
  }

  /** An item that failed with its step has also ended with it. */
  private void settleByHand(Step step, @Nullable String output) {
    StepState was = steps.get(step);
    boolean isItem = items.get(step) instanceof StepState.Failed;
    if (isItem) {
      items.put(step, StepState.done(StepKind.ITEM, output));
    }
    if (was instanceof StepState.Failed(var kind, _)) {
      steps.put(step, StepState.done(kind, output));
    } else if (!isItem) {
      steps.put(step, StepState.done(StepKind.STEP, output));
    }
  }
}
