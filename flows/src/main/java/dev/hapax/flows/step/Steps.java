package dev.hapax.flows.step;

import dev.hapax.flow.Rejected;
import dev.hapax.flow.StepFailed;
import dev.hapax.flows.expression.ExpressionFailed;
import dev.hapax.flows.file.StepKind;
import org.jspecify.annotations.Nullable;

/** Executes one step that has no inner steps. */
public final class Steps {
  private Steps() {}

  /** Returns the step's output; throws StepFailed if it failed for good. */
  public static @Nullable Object run(StepRun step) {
    return switch (step.step().kind()) {
      case StepKind.Http http -> new HttpStep(step, http, step.step().effect()).run();
      case StepKind.Db db -> DbStep.run(step, db);
      case StepKind.Kv kv -> KvStep.run(step, kv);
      case StepKind.ResourcePut put -> ResourceStep.put(step, put);
      case StepKind.ResourceGet get -> ResourceStep.get(step, get);
      case StepKind.Email email -> EmailStep.run(step, email);
      case StepKind.Publish publish -> PublishStep.run(step, publish);
      case StepKind.WaitFor wait -> {
        WaitStep.sleep(step, wait);
        yield null;
      }
      case StepKind.WaitUntil wait -> {
        WaitStep.sleepUntil(step, wait);
        yield null;
      }
      case StepKind.WaitCallback wait -> WaitStep.callback(step, wait);
      case StepKind.Ask ask -> WaitStep.approval(step, ask);
      case StepKind.ChildFlow child -> ChildStep.run(step, child);
      case StepKind.SetValues set -> values(step, set);
      case StepKind.Fail fail -> throw failure(step, fail);
      case StepKind.Call call -> CallStep.run(step, call);
      case StepKind.Llm _, StepKind.Ssh _ when step.isDraft() ->
          step.run().step(step.id(), () -> step.sample(null), Object.class);
      case StepKind.Llm _, StepKind.Ssh _ ->
          throw step.failed(
              "not-supported",
              "steps of kind %s cannot run yet".formatted(step.step().kind().word()));
      case StepKind.Parallel _, StepKind.Choose _ ->
          throw new IllegalArgumentException("what has steps inside is not carried out here");
    };
  }

  private static @Nullable Object values(StepRun step, StepKind.SetValues set) {
    return step.run()
        .step(
            step.id(),
            () -> {
              try {
                return set.values().value(step.scope());
              } catch (ExpressionFailed e) {
                throw new Rejected("expression", String.valueOf(e.getMessage()), e);
              }
            },
            Object.class);
  }

  private static StepFailed failure(StepRun step, StepKind.Fail fail) {
    String message =
        Guarded.prepared(
            step, () -> fail.message() == null ? "the flow says so" : step.text(fail.message()));
    return new StepFailed(fail.code(), message, step.id(), step.item(), fail.retryable());
  }
}
