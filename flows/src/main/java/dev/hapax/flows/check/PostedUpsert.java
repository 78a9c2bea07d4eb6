package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import dev.hapax.flows.step.HttpTemplate;
import dev.hapax.flows.step.StepGuard;
import org.jspecify.annotations.Nullable;

/** A POST that is declared repeatable: most destinations make a second record of it. */
final class PostedUpsert implements Rule {
  @Override
  public String id() {
    return "posted-upsert";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      check(step.kind(), step.effect(), report);
      FlowStep.Compensate compensate = step.compensate();
      if (compensate != null) {
        check(compensate.kind(), compensate.effect(), report);
      }
    }
  }

  private static void check(FlowStepKind kind, @Nullable EffectContract effect, Report report) {
    HttpTemplate http = kind.http();
    StepGuard guard = effect == null ? null : effect.guard();
    if (http != null
        && guard != null
        && guard.letsOperationRepeat()
        && http.method().equals("POST")) {
      report.add(
          guard.position(),
          "guard upsert says that the request can be repeated, but a repeated POST usually makes a second record",
          "Use PUT or PATCH with the record's own id in the path, or guard keyed or lookup.");
    }
  }
}
