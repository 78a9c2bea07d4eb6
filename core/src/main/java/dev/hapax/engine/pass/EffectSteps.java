package dev.hapax.engine.pass;

import dev.hapax.effect.EffectProgress;
import dev.hapax.effect.EffectStep;
import dev.hapax.effect.Payload;
import dev.hapax.effect.UndoneFirst;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.StepState;
import dev.hapax.engine.replay.WaitBook;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Failure;
import dev.hapax.flow.OnRework;
import dev.hapax.flow.Step;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.run.journal.ClaimAnswer;
import dev.hapax.run.journal.EffectEntry;
import org.jspecify.annotations.Nullable;

/** The steps of a run that change the outside world; the ledger carries them out. */
final class EffectSteps {
  private final StepPlace context;
  private final Fiber fiber;
  private final EngineParts parts;

  EffectSteps(StepPlace context, Fiber fiber, EngineParts parts) {
    this.context = context;
    this.fiber = fiber;
    this.parts = parts;
  }

  @Nullable String carryOut(
      Step step, @Nullable StepState state, Effect<?> effect, EffectStep.Sender sender) {
    fiber
        .journal()
        .replay()
        .unvisited()
        .reached(EffectStep.name(effect, step, fiber.identity().flow()), effect.key());
    String output =
        state instanceof StepState.Finished(_, var recorded)
            ? recorded
            : send(step, state, effect, sender);
    WaitBook waits = fiber.journal().replay().waits();
    if (waits.isFollowed(step)) {
      waits.sawEffect(step, requestOf(step, effect));
    }
    return output;
  }

  private @Nullable String send(
      Step step, @Nullable StepState state, Effect<?> effect, EffectStep.Sender sender) {
    boolean isUndoneElsewhere =
        state instanceof StepState.Revising && fiber.pass().isCompensating();
    if (state == null || isUndoneElsewhere || fiber.pass().onlyTells()) {
      context.stopIfAsked();
    }
    var asked = new EffectStep(step, effect, requestOf(step, effect), sender);
    refuseWithoutUndo(asked);
    if (state instanceof StepState.Revising(var first)) {
      fiber.checkBefore(step);
      return revise(asked, first);
    }
    try {
      return parts.ledger().carryOut(asked, progress(asked, state), fiber);
    } catch (UndoneFirst first) {
      return revise(asked, first.answer());
    }
  }

  /** Undoes what was sent with other content, and then claims the effect again. */
  private @Nullable String revise(EffectStep asked, ClaimAnswer.UndoFirst first) {
    new EarlierRevision(context, fiber, parts).undo(asked.step(), asked.effect(), first);
    context.stopIfAsked();
    return parts.ledger().carryOut(asked.afterUndo(), null, fiber);
  }

  /** Before anything is sent, because a rework could not undo it. */
  private static void refuseWithoutUndo(EffectStep asked) {
    if (asked.onRework() == OnRework.REVISE && asked.effect().compensation() == null) {
      throw new IllegalArgumentException(
          "effect '%s' of step %s has onRework REVISE, but no compensation that undoes what was sent: use .compensate(…)"
              .formatted(asked.effect().key(), asked.step()));
    }
  }

  private @Nullable EffectProgress progress(EffectStep asked, @Nullable StepState state) {
    if (state instanceof StepState.Open(var progress)) {
      String difference = asked.differenceFrom(progress.claim(), fiber.identity().flow());
      if (difference != null) {
        throw fiber.mismatch(asked.step(), difference);
      }
      return progress;
    }
    return null;
  }

  private @Nullable String requestOf(Step step, Effect<?> effect) {
    Object request = effect.request();
    try {
      return request == null ? null : Payload.writeBounded(request);
    } catch (NotSerializable e) {
      Failure failure = Failure.of(e.code(), "its request: " + e.getMessage(), false).at(step);
      fiber.add(new EffectEntry.EffectFailed(step, 0, 0, failure)); // it was never claimed
      throw StepFailures.of(failure);
    }
  }

  /** What the sender receives: the request that was stored with the intent. */
  @SuppressWarnings(
      "unchecked") // the stored request is read back as the class of the value that was stored
  static <R> R request(String name, Effect<R> effect, @Nullable String stored) {
    R asked = effect.request();
    if (asked == null || stored == null) {
      throw new IllegalArgumentException(
          "effect '%s' has a sender that takes a request, but its contract gives none: use .request(value)"
              .formatted(name));
    }
    return (R) Json.read(stored, asked.getClass());
  }
}
