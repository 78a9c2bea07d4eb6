package dev.hapax.flows.check;

import dev.hapax.flow.OnRework;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import org.jspecify.annotations.Nullable;

/** An {@code onRework} that the effect cannot follow. */
final class ReworkDoesNotFit implements Rule {
  @Override
  public String id() {
    return "rework-does-not-fit";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      checkKind(step.effect(), report);
      FlowStep.Compensate compensate = step.compensate();
      EffectContract effect = step.effect();
      if (effect != null && effect.onRework() == OnRework.REVISE && compensate == null) {
        report.add(
            effect.position(),
            "onRework: revise of step '%s' needs 'compensate': it undoes what was sent before it sends the new content"
                .formatted(step.id()),
            "Add compensate to the step, or use onRework: review.");
      }
      if (compensate != null
          && compensate.effect() != null
          && compensate.effect().onRework() != null) {
        report.add(
            compensate.effect().position(),
            "the compensation of step '%s' has onRework, but each revision is undone only once"
                .formatted(step.id()),
            "Remove onRework from the compensation.");
      }
    }
  }

  private static void checkKind(@Nullable EffectContract effect, Report report) {
    if (effect == null || effect.onRework() == null) {
      return;
    }
    String instead =
        switch (effect.kind()) {
          case CREATE, NOTIFY -> null;
          case UPDATE -> "an update is sent again when its content changed";
          case ADDITIVE -> "an additive effect is sent once in each run";
          case READ -> "a read sends nothing";
        };
    if (instead != null) {
      report.add(
          effect.position(),
          "onRework is for %s and %s: %s"
              .formatted(EffectKind.CREATE.word(), EffectKind.NOTIFY.word(), instead),
          "Remove onRework, or change kind.");
    }
  }
}
