package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.SendingStep;

/** A step that changes the outside world and does not say what a repeat would mean. */
final class MissingEffect implements Rule {
  @Override
  public String id() {
    return "missing-effect";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      if (step.kind() instanceof SendingStep kind && kind.writes() && step.effect() == null) {
        report.add(
            kind.position(),
            "step '%s' changes something outside (%s) and has no effect, so it is unknown whether it may be repeated after a crash"
                .formatted(step.id(), kind.request()),
            "Add effect: {kind: create, key: ${…}, guard: keyed | upsert | transaction | lookup | none}."
                + kind.insteadOfEffect());
      }
      FlowStep.Compensate compensate = step.compensate();
      if (compensate != null && compensate.effect() == null && !compensate.kind().isIdempotent()) {
        report.add(
            compensate.position(),
            "the compensation of step '%s' (%s) is not a PUT or DELETE and has no effect"
                .formatted(step.id(), compensate.kind().request()),
            "Add an effect with a guard to it.");
      }
    }
  }
}
