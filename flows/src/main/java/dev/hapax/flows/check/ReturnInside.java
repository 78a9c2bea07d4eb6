package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@code return} in a place where other steps of the run may be in progress. */
final class ReturnInside implements Rule {
  @Override
  public String id() {
    return "return-inside";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    check(flow.steps(), null, report);
  }

  private static void check(List<FlowStep> steps, @Nullable FlowStep around, Report report) {
    for (FlowStep step : steps) {
      boolean isBeside =
          step.forEach() != null || (!step.inner().isEmpty() && !step.kind().takesOneBranch());
      FlowStep beside = isBeside ? step : around;
      if (step.kind().returns() && beside != null) {
        report.add(
            step.kind().position(),
            "step '%s' would end the run inside '%s', whose items, branches or rounds end by themselves"
                .formatted(step.id(), beside.id()),
            "Move it behind '%s', with a when that reads its result.".formatted(beside.id()));
      }
      step.inner().forEach(inner -> check(inner, beside, report));
    }
  }
}
