package dev.hapax.flows.step;

import dev.hapax.flow.RunContext;
import dev.hapax.flow.Undo;
import dev.hapax.flows.connection.Idempotency;
import dev.hapax.flows.expression.Scope;
import dev.hapax.flows.file.EffectContract;
import dev.hapax.flows.file.EffectContract.GuardBlock;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.file.StepKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Undoes a step, given its answer. */
final class UndoOf {
  private final StepRun step;
  private final Step.Compensate compensate;

  UndoOf(StepRun done, Step.Compensate compensate, @Nullable Object output) {
    this.compensate = compensate;
    Scope scope = withResult(done, output);
    this.step =
        new StepRun(done.run(), done.step(), scope, done.services(), done.kept(), done.item());
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
        guarded(action())
            .retry(Guarded.retry(compensate.retry()))
            .timeout(Guarded.timeout(compensate.timeout()));
    String connection = compensate.kind().connection();
    return connection == null || step.isDraft()
        ? undo
        : undo.to(step.services().destination(connection));
  }

  private RunContext.Action action() {
    if (step.isDraft()) {
      return _ -> {};
    }
    Duration timeout = Guarded.timeout(compensate.timeout());
    return switch (compensate.kind()) {
      case StepKind.Http http -> {
        var sending = new HttpStep(step, http, compensate.effect());
        yield key -> sending.send(key, sending.request(), timeout);
      }
      case StepKind.Call call -> key -> CallStep.call(step, call, key);
      case StepKind.Email email ->
          key -> EmailStep.send(step, email, EmailStep.mail(step, email), key);
      case StepKind.Db db -> _ -> DbStep.write(step, db);
      default ->
          throw new IllegalStateException(
              "a compensation of kind %s cannot be carried out"
                  .formatted(compensate.kind().word()));
    };
  }

  private Undo guarded(RunContext.Action action) {
    EffectContract effect = compensate.effect();
    if (effect == null) {
      return Undo.upsert(action);
    }
    return switch (effect.guard()) {
      case GuardBlock.Keyed keyed -> keyed(keyed, action);
      case GuardBlock.Upsert _ -> Undo.upsert(action);
      case GuardBlock.None none -> Undo.unguarded(none.onDoubt(), action);
      case GuardBlock.Lookup lookup ->
          Undo.lookup(_ -> find(lookup), Guarded.settle(lookup), action);
      case GuardBlock.Transaction _ -> inTransaction();
    };
  }

  private Undo keyed(GuardBlock.Keyed keyed, RunContext.Action action) {
    Duration window = keyed.window() == null ? Idempotency.USUAL.window() : keyed.window();
    GuardBlock.Lookup lookup = keyed.lookup();
    return lookup == null
        ? Undo.keyed(window, action)
        : Undo.keyed(window, _ -> find(lookup), action);
  }

  private Optional<?> find(GuardBlock.Lookup lookup) throws Exception {
    return new HttpStep(step, lookup.http(), null).find(lookup);
  }

  private Undo inTransaction() {
    if (!(compensate.kind() instanceof StepKind.Db db)) {
      throw new IllegalStateException("check lets guard transaction through for db only");
    }
    if (step.isDraft()) {
      return Undo.upsert(_ -> {});
    }
    return Undo.transaction(
        DbStep.database(step, db),
        (_, session) -> {
          var _ = session.run(db.sql(), DbStep.params(step, db));
        });
  }
}
