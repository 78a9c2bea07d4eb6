package dev.hapax.flows.step;

import dev.hapax.flow.Effect;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Undo;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.yaml.Shape;

/** The operation itself can be repeated. */
record UpsertGuard(Position position) implements StepGuard {
  static final GuardForm FORM =
      new GuardForm(
          "upsert",
          "The operation itself can be repeated.",
          (position, _) -> new UpsertGuard(position),
          Shape.of("upsert", "guard upsert").build());

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public String inDoubt() {
    return "sent again: a repeat changes nothing";
  }

  @Override
  public boolean letsOperationRepeat() {
    return true;
  }

  @Override
  public <R> Effect<R> protect(Effect.Draft<R> draft, SendingStep kind, StepRun step) {
    return draft.upsert();
  }

  @Override
  public Undo protect(RunContext.Action action, SendingStep kind, StepRun step) {
    return Undo.upsert(action);
  }
}
