package dev.hapax.testkit.promise;

import dev.hapax.flow.Run;
import dev.hapax.flow.Step;
import dev.hapax.run.journal.LoopEntry;
import dev.hapax.run.journal.RunEntry;
import dev.hapax.run.journal.StepEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * Promise 3 and 8: the code of a step is not called once its outcome is durable, unless a person
 * corrected the input or retried what had failed; and it is the code of the run's own release. The
 * code of an item, which is no step, is called again when its run undoes the item's effects: only
 * that code knows how.
 */
public final class FinishedStepsStayFinished implements Promise {
  @Override
  public List<String> brokenBy(Evidence evidence) {
    List<String> broken = new ArrayList<>();
    var runs = evidence.runsById();
    for (StepCall call : evidence.stepCalls()) {
      if (isFinished(call)) {
        broken.add(
            "step %s of run %s was called again though its outcome was durable"
                .formatted(call.step(), call.run()));
      }
      Run run = runs.get(call.run());
      if (run == null) {
        broken.add(
            "step %s of run %s was called, but the run was lost"
                .formatted(call.step(), call.run()));
      } else if (releaseAt(call, run, evidence) != call.release() && !isUndoing(call)) {
        broken.add(
            "run %s of release %d called code of release %d"
                .formatted(call.run(), releaseAt(call, run, evidence), call.release()));
      }
    }
    return broken;
  }

  /** What a body of an earlier release did, only that body knows how to undo. */
  private static boolean isUndoing(StepCall call) {
    return call.journal().stream()
        .flatMap(row -> row.readEntries().stream())
        .anyMatch(RunEntry.CompensationStarted.class::isInstance);
  }

  /** The release that the run had when the code was called, by the replays in its journal. */
  private static int releaseAt(StepCall call, Run run, Evidence evidence) {
    long last = call.journal().isEmpty() ? 0 : call.journal().getLast().seq();
    Integer release = null;
    for (JournalLine line : evidence.journal(run)) {
      if (line.entry() instanceof RunEntry.Replayed(_, _, var to, var from, _, _, _)
          && to != null
          && from != null) {
        if (line.row().seq() > last) {
          return release == null ? from : release;
        }
        release = to;
      }
    }
    return release == null ? run.release() : release;
  }

  private static boolean isFinished(StepCall call) {
    boolean done = false;
    boolean failed = false;
    boolean isItem = false;
    boolean undoes = false;
    for (JournalLine line : JournalLine.read(call.journal())) {
      switch (line.entry()) {
        case StepEntry.StepDone(Step step, var _) when step.equals(call.step()) -> done = true;
        case StepEntry.Branched(Step step, var _) when step.equals(call.step()) -> done = true;
        case StepEntry.StepSettled(Step step, var _, var _, var _) when step.equals(call.step()) ->
            done = true;
        case LoopEntry.ItemEnded(Step step, var error, var _) when step.equals(call.step()) -> {
          isItem = true;
          done = error == null;
          failed = error != null;
        }
        case StepEntry.StepFailed(Step step, var _) when step.equals(call.step()) -> failed = true;
        case RunEntry.CompensationStarted _ -> undoes = true;
        case RunEntry.Replayed _ -> { // from a step that this does not look for
          failed = false;
          done = false;
        }
        case RunEntry.Retried retried -> {
          failed = false;
          done = done && retried.input() == null;
        }
        default -> {}
      }
    }
    return (done || failed) && !(isItem && undoes);
  }
}
