package dev.hapax.engine.pass;

import dev.hapax.flow.Approval;
import dev.hapax.flow.Decision;
import dev.hapax.flow.RunContext;
import java.util.function.IntFunction;

/** Repeats work and its approval, until the decision is not to rework. */
final class Rounds {
  private final IntFunction<PassContext> inRound;

  /**
   * Rounds of one body.
   *
   * @param inRound the context for the steps of a round, counted from 1
   */
  Rounds(IntFunction<PassContext> inRound) {
    this.inRound = inRound;
  }

  Decision work(String name, int most, RunContext.Round work) throws Exception {
    if (most < 1) {
      throw new IllegalArgumentException(
          "rounds '%s': expected at least 1, got %d".formatted(name, most));
    }
    Decision rework = null;
    for (int number = 1; ; number++) {
      PassContext context = inRound.apply(number);
      Approval approval = work.work(context, rework);
      Decision decision = context.approval(name, approval, number < most);
      if (decision.decision() != Decision.Choice.REWORK) {
        return decision;
      }
      rework = decision;
    }
  }
}
