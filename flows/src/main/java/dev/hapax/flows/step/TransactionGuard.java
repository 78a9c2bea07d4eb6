package dev.hapax.flows.step;

import dev.hapax.flow.Effect;
import dev.hapax.flow.RunContext;
import dev.hapax.flow.Undo;
import dev.hapax.flows.expression.Position;
import dev.hapax.flows.yaml.Shape;
import org.jspecify.annotations.Nullable;

/** A marker row commits together with the write. */
record TransactionGuard(Position position) implements StepGuard {
  static final GuardForm FORM =
      new GuardForm(
          "transaction",
          "A marker row commits with the write.",
          (position, _) -> new TransactionGuard(position),
          Shape.of("transaction", "guard transaction").build());

  @Override
  public String word() {
    return FORM.word();
  }

  @Override
  public String inDoubt() {
    return "run again with its marker first: if the marker is there, the write has happened and is not repeated";
  }

  /** The step itself opens the transaction. */
  @Override
  public <R> Effect<R> protect(Effect.Draft<R> draft, SendingStep kind, StepRun step) {
    throw new IllegalStateException("check lets guard transaction through for db only");
  }

  @Override
  public Undo protect(RunContext.Action action, SendingStep kind, StepRun step) {
    return step.isDraft() ? Undo.upsert(action) : kind.undoingInTransaction(step);
  }

  @Override
  public boolean commitsMarker() {
    return true;
  }

  @Override
  public @Nullable Misfit misfit(SendingStep kind) {
    return kind.isTransactional()
        ? null
        : new Misfit(
            "guard transaction is for db steps: its marker commits in the same database as the write",
            "Use keyed, upsert, lookup or none.");
  }
}
