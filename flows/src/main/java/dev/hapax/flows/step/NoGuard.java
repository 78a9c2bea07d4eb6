package dev.hapax.flows.step;

import dev.hapax.flow.Effect;
import dev.hapax.flow.OnDoubt;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Undo;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Types;

/** Duplicates are not removed. */
record NoGuard(Position position, OnDoubt onDoubt) implements StepGuard {
  static final GuardForm FORM =
      new GuardForm(
          "none",
          "Nothing removes a duplicate.",
          (position, none) ->
              new NoGuard(position, none.word(OnDoubt.class, "onDoubt", OnDoubt.REVIEW)),
          Shape.of("none", "guard none")
              .may(
                  "onDoubt",
                  Types.words("review", "repeat", "skip"),
                  "In doubt a person decides, or the effect is sent again, or skipped.")
              .build());

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public String inDoubt() {
    return switch (onDoubt) {
      case REVIEW -> "in review: a person decides";
      case REPEAT -> "sent again, and may happen twice";
      case SKIP -> "given up: it may not have happened, and the run goes on";
    };
  }

  @Override
  public <R> Effect<R> protect(Effect.Draft<R> draft, SendingStep kind, StepRun step) {
    return draft.unguarded(onDoubt);
  }

  @Override
  public Undo protect(RunContext.Action action, SendingStep kind, StepRun step) {
    return Undo.unguarded(onDoubt, action);
  }

  @Override
  public boolean removesDuplicates() {
    return false;
  }

  @Override
  public boolean stopsOnDoubt() {
    return onDoubt == OnDoubt.REVIEW;
  }
}
