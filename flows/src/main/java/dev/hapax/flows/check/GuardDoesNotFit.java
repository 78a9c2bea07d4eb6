package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.FlowStepKind;
import dev.hapax.flows.step.SendingStep;
import dev.hapax.flows.step.StepGuard;
import org.jspecify.annotations.Nullable;

/** A contract that the step's kind cannot keep. */
final class GuardDoesNotFit implements Rule {
  @Override
  public String id() {
    return "guard-does-not-fit";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      check(step.kind(), step.effect(), report);
      FlowStep.Compensate compensate = step.compensate();
      if (compensate == null) {
        continue;
      }
      check(compensate.kind(), compensate.effect(), report);
      if (step.effect() == null) {
        report.add(
            compensate.position(),
            "step '%s' has a compensation but no effect that it could undo".formatted(step.id()),
            "Give the step an effect, or remove compensate.");
      }
    }
  }

  private static void check(FlowStepKind kind, @Nullable EffectContract effect, Report report) {
    if (effect == null) {
      return;
    }
    if (kind instanceof SendingStep sending) {
      StepGuard.Misfit misfit = effect.guard().misfit(sending);
      if (misfit != null) {
        report.add(effect.guard().position(), misfit.message(), misfit.fix());
      }
    } else {
      report.add(
          effect.position(),
          "a step of kind %s sends nothing itself, so it has no effect".formatted(kind.word()),
          "Remove effect.");
    }
    if (effect.appliesTies() && effect.version() == null) {
      report.add(
          effect.position(),
          "tie needs 'version': content without a version cannot have an equal one",
          "Add the version of the content, or remove tie.");
    }
    if (effect.version() != null && effect.kind() != EffectKind.UPDATE) {
      report.add(
          effect.version().position(),
          "only an update has a version, but this effect is a %s".formatted(effect.kind().word()),
          "Remove version, or make it kind: update.");
    }
  }
}
