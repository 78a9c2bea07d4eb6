package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.file.StepKind;

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
    for (Step step : flow.allSteps()) {
      if (step.kind().writes() && step.effect() == null) {
        report.add(
            step.kind().position(),
            "step '%s' changes something outside (%s) and has no effect, so nobody knows whether it may be repeated after a crash"
                .formatted(step.id(), what(step.kind())),
            "Add effect: {kind: create, key: ${…}, guard: keyed | upsert | transaction | lookup | none}."
                + (step.kind() instanceof StepKind.Call
                    ? " If the handler changes nothing outside: pure: true."
                    : ""));
      }
      Step.Compensate compensate = step.compensate();
      if (compensate != null
          && compensate.effect() == null
          && !(compensate.kind() instanceof StepKind.Http http && http.isIdempotent())) {
        report.add(
            compensate.position(),
            "the compensation of step '%s' (%s) is no PUT or DELETE and has no effect"
                .formatted(step.id(), what(compensate.kind())),
            "Add an effect with a guard to it.");
      }
    }
  }

  private static String what(StepKind kind) {
    return kind instanceof StepKind.Http http ? "http " + http.method() : kind.word();
  }
}
