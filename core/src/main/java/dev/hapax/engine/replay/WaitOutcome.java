package dev.hapax.engine.replay;

import dev.hapax.flow.Decision;
import dev.hapax.flow.Failure;
import dev.hapax.flow.Step;
import dev.hapax.flow.WaitState;
import dev.hapax.json.Json;
import dev.hapax.run.journal.WaitEntry;
import org.jspecify.annotations.Nullable;

/** Turns a settled wait into the state of its step, live and on replay. */
public final class WaitOutcome {
  private WaitOutcome() {}

  public static StepState of(StepState.Asked asked, WaitEntry.WaitSettled settled) {
    if (asked.kind() == StepKind.CALLBACK) {
      return settled.state() == WaitState.EXPIRED
          ? new StepState.Failed(StepKind.CALLBACK, expired(settled.step(), asked))
          : StepState.done(StepKind.CALLBACK, settled.decision());
    }
    Decision decision = Json.read(String.valueOf(settled.decision()), Decision.class);
    boolean fails = asked.failsIfRejected() && decision.decision() == Decision.Choice.REJECT;
    return fails
        ? new StepState.Failed(StepKind.APPROVAL, rejected(settled, decision))
        : StepState.done(StepKind.APPROVAL, settled.decision());
  }

  static boolean isOpenApproval(StepState state) {
    return state instanceof StepState.Asked && state.kind() == StepKind.APPROVAL;
  }

  private static Failure expired(Step step, StepState.Asked asked) {
    String message =
        "the callback of step %s was not answered before it expired at %s"
            .formatted(step, asked.expiresAt());
    return Failure.of("expired", message, true).at(step);
  }

  private static Failure rejected(WaitEntry.WaitSettled settled, Decision decision) {
    String message =
        settled.state() == WaitState.EXPIRED
            ? "step %s was not decided in time, which counts as a rejection"
                .formatted(settled.step())
            : "%s rejected step %s%s"
                .formatted(decision.by(), settled.step(), because(decision.comment()));
    return Failure.of("rejected", message, false).at(settled.step());
  }

  private static String because(@Nullable String comment) {
    return comment == null ? "" : ": " + comment;
  }
}
