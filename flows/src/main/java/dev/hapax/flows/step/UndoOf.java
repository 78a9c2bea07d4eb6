package dev.hapax.flows.step;

import dev.hapax.flow.RunContext;
import dev.hapax.flow.Undo;
import dev.hapax.flows.expression.Scope;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Undoes a step, given its answer. */
final class UndoOf {
  private final StepRun step;
  private final FlowStep.Compensate compensate;

  UndoOf(StepRun done, FlowStep.Compensate compensate, @Nullable Object output) {
    this.compensate = compensate;
    Scope scope = withResult(done, output);
    this.step = done.with(scope);
  }

  /** In its compensation a step knows its own result. */
  private static Scope withResult(StepRun done, @Nullable Object output) {
    var steps = new HashMap<String, @Nullable Object>();
    if (done.scope().value("steps") instanceof Map<?, ?> known) {
      known.forEach((id, result) -> steps.put(String.valueOf(id), result));
    }
    steps.put(done.id(), StepResult.of(done, output));
    return done.scope().with("steps", steps);
  }

  Undo undo() {
    Undo undo =
        guarded(action()).retry(compensate.retryPolicy()).timeout(compensate.attemptTimeout());
    String connection = compensate.kind().connection();
    return connection == null || step.isDraft()
        ? undo
        : undo.to(step.services().destination(connection));
  }

  private RunContext.Action action() {
    if (step.isDraft()) {
      return _ -> {};
    }
    return compensate.kind().undoing(step, compensate);
  }

  private Undo guarded(RunContext.Action action) {
    EffectContract effect = compensate.effect();
    return effect == null
        ? Undo.upsert(action)
        : effect.guard().protect(action, compensate.kind(), step);
  }
}
