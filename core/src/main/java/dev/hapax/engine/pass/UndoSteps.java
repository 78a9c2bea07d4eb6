package dev.hapax.engine.pass;

import dev.hapax.effect.EffectStep;
import dev.hapax.effect.RunPort;
import dev.hapax.effect.Unwind;
import dev.hapax.engine.parts.EngineParts;
import dev.hapax.engine.replay.Undoables;
import dev.hapax.flow.Effect;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Kind;
import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.Undo;
import dev.hapax.json.Json;
import dev.hapax.json.Text;
import dev.hapax.run.journal.EffectEntry;
import dev.hapax.time.ProcessGone;
import org.jspecify.annotations.Nullable;

/** Makes the steps that undo the effects of a run, as the contracts of these effects say. */
final class UndoSteps {
  private final RunPort run;
  private final EngineParts parts;
  private final Undoables undoables;

  UndoSteps(RunPort run, EngineParts parts, Undoables undoables) {
    this.run = run;
    this.parts = parts;
    this.undoables = undoables;
  }

  /**
   * Returns the step that undoes this effect.
   *
   * @param effect its contract; null if the body did not reach it
   * @param isBegun whether the journal holds an intent of the undo
   */
  @SuppressWarnings("CatchingThrowable")
  EffectStep of(Undoables.Undoable one, @Nullable Effect<?> effect, boolean isBegun) {
    Undo undo;
    try {
      undo = how(one, effect);
    } catch (Unwind | ProcessGone | VirtualMachineError e) {
      throw e;
    } catch (Throwable e) { // also an Error of the flow's own code, such as a missing class
      NoAnswer.passOn(e); // which says nothing about the effect
      String message =
          "cannot find out how to undo effect %s: %s"
              .formatted(one.name(), e instanceof Error ? Text.of(e) : Text.messageOf(e));
      Failure failure = Failure.of("undo-unknown", message, true).at(one.undo());
      if (!isBegun) {
        run.add(new EffectEntry.EffectFailed(one.undo(), one.revision(), 0, failure));
      }
      throw StepFailures.of(failure);
    }
    EffectEntry.Claimed claim = one.claim();
    Kind kind = claim.kind() == Kind.ADDITIVE ? Kind.ADDITIVE : Kind.CREATE;
    // An undo goes to the destination of its effect, unless the undo says otherwise.
    String destination = effect == null ? null : effect.terms().destination();
    return EffectStep.undo(
        one.undo(),
        undo.of(kind, claim.name(), claim.key(), destination),
        (key, _) -> {
          undo.action().send(key);
          return "null";
        },
        undoables.undoing(one));
  }

  private Undo how(Undoables.Undoable one, @Nullable Effect<?> effect) {
    Effect.Compensation<?> how = effect == null ? null : effect.compensation();
    if (how == null) {
      throw new IllegalStateException(
          "the body did not reach step %s with this effect. Register the code of its release as it was."
              .formatted(one.claim().step()));
    }
    String output = one.output();
    String tenant = run.identity().tenant();
    return how(how, output == null ? null : parts.values().valueOf(tenant, output));
  }

  /** Null only if the step's own code returned null, and so said that its type allows it. */
  @SuppressWarnings("NullAway")
  private static <T> Undo how(Effect.Compensation<T> compensation, @Nullable String output) {
    T result =
        output == null || output.equals("null") ? null : Json.read(output, compensation.result());
    return compensation.undo().apply(result);
  }
}
