package dev.hapax.engine.pass;

import dev.hapax.effect.EffectProgress;
import dev.hapax.effect.EffectStep;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.Replay;
import dev.hapax.engine.replay.StepState;
import dev.hapax.engine.replay.Undoables;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Step;
import dev.hapax.flow.StepFailed;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import org.jspecify.annotations.Nullable;

/**
 * Undoes what a run has sent, before the same step sends other content. The undo is the one that a
 * compensation would make: under its own name in the ledger, and only once. A crash, a doubt or a
 * review in the middle of it is therefore handled as for any effect, and a later compensation finds
 * it done.
 */
final class EarlierRevision {
  private final StepPlace context;
  private final Fiber fiber;
  private final EngineParts parts;

  EarlierRevision(StepPlace context, Fiber fiber, EngineParts parts) {
    this.context = context;
    this.fiber = fiber;
    this.parts = parts;
  }

  /**
   * Returns when the revision is undone, or a person has decided to leave it.
   *
   * @param effect the contract that this step has now; it says how to undo the earlier one too
   */
  void undo(Step step, Effect<?> effect, ClaimAnswer.UndoFirst first) {
    // The whole journal, also of this pass: the claim has made it durable.
    Replay replay = Replay.of(parts.store().journal(fiber.pass().number()));
    Undoables.Undoable one = replay.undoables().of(first.effect(), first.revision());
    if (one == null) {
      throw failed(
          step,
          first,
          "undo-unknown",
          "when it was sent, the effect had no compensation",
          step.undo(1).name());
    }
    StepState state = replay.stateOf(one.undo());
    if (state instanceof StepState.Finished) {
      return;
    }
    if (state instanceof StepState.Failed(_, var error)) {
      throw failed(step, first, error.code(), error.message(), one.undo().name());
    }
    try {
      carryOut(one, effect, replay, state);
    } catch (StepFailed failed) {
      throw failed(
          step, first, failed.code(), String.valueOf(failed.getMessage()), one.undo().name());
    }
  }

  private void carryOut(
      Undoables.Undoable one, Effect<?> effect, Replay replay, @Nullable StepState state) {
    EffectProgress progress = state instanceof StepState.Open(var found) ? found : null;
    if (progress == null) {
      context.stopIfAsked();
    }
    EffectStep undo =
        new UndoSteps(fiber, parts, replay.undoables()).of(one, effect, progress != null);
    String difference =
        progress == null ? null : undo.differenceFrom(progress.claim(), fiber.identity().flow());
    if (difference != null) {
      throw fiber.mismatch(one.undo(), difference);
    }
    parts.ledger().carryOut(undo, progress, fiber);
  }

  /** The failure is recorded with that of the undo, so that the body meets it again. */
  private StepFailed failed(
      Step step, ClaimAnswer.UndoFirst first, String code, String message, String undo) {
    String told =
        "its content changed, and what it sent before could not be undone: '%s' failed with %s: %s. Nothing new was sent. Retry the run to undo it again, or settle step '%s' if you have undone it by hand."
            .formatted(undo, code, message, undo);
    Failure failure = Failure.of("undo-failed", told, true).at(step);
    fiber.add(new EffectEntry.EffectFailed(step, first.revision(), 0, failure));
    return StepFailures.of(failure);
  }
}
