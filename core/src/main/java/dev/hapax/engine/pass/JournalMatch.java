package dev.hapax.engine.pass;

import dev.hapax.effect.Unwind;
import dev.hapax.engine.replay.ItemJournal;
import dev.hapax.engine.replay.StepKind;
import dev.hapax.engine.replay.StepState;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Flow;
import dev.hapax.flow.RunId;
import dev.hapax.flow.Step;
import org.jspecify.annotations.Nullable;

/**
 * Compares the steps that the body of a run reaches with the run's journal. A run whose code and
 * journal disagree cannot go on.
 */
final class JournalMatch {
  static final String MISMATCH = "journal-mismatch";
  static final String PLAN_STALE = "plan-stale";

  private final RunId run;
  private final Flow<?, ?> flow;
  private final BodyFence fence;

  JournalMatch(RunId run, Flow<?, ?> flow, BodyFence fence) {
    this.run = run;
    this.flow = flow;
    this.fence = fence;
  }

  /** Returns the state of a step that the body has reached; each step occurs once in a run. */
  @Nullable StepState visit(ItemJournal journal, Step step, StepKind kind) {
    StepState state = stateOf(journal, step, kind);
    if (!journal.visit(step)) {
      String message =
          "step %s occurs twice in run %s. Give it another name, or use run.item(key) in a loop."
              .formatted(step, run);
      throw fence.closeFor(Failure.of("duplicate-step", message, false).at(step));
    }
    if (kind.leavesTheRun()) {
      journal.replay().unvisited().visit(step);
    }
    return state;
  }

  /** Returns the state of a step in the journal, which must be of this kind. */
  @Nullable StepState stateOf(ItemJournal journal, Step step, StepKind kind) {
    StepState state = journal.stateOf(step);
    if (state != null && state.kind() != kind) {
      throw mismatch(
          step,
          "its journal holds %s as %s, but %s now makes it %s"
              .formatted(step, state.kind(), flow, kind));
    }
    return state;
  }

  /** Ends the body of a replayed run that would send what its plan does not have. */
  Unwind planStale(Step step, String what) {
    String message =
        "step %s would send %s: nothing was sent. Make a new plan of run %s and apply it, or retry the run to let it send without a plan."
            .formatted(step, what, run);
    return fence.closeFor(Failure.of(PLAN_STALE, message, true).at(step));
  }

  /** Ends the body of a run whose code and journal disagree. */
  Unwind mismatch(Step step, String difference) {
    return fence.closeFor(failure(step, difference));
  }

  /** The failure of a run whose code and journal disagree. */
  Failure failure(Step step, String difference) {
    String message =
        "run %s cannot go on: %s. A run stays on its release: register the code of release %d as it was, or cancel the run."
            .formatted(run, difference, flow.release());
    return Failure.of(MISMATCH, message, true).at(step);
  }
}
