package dev.hapax.flows.check;

import dev.hapax.flows.file.EffectContract;
import dev.hapax.flows.file.EffectKind;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.file.StepKind;
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
    for (Step step : flow.allSteps()) {
      check(step.kind(), step.effect(), report);
      Step.Compensate compensate = step.compensate();
      if (compensate == null) {
        continue;
      }
      check(compensate.kind(), compensate.effect(), report);
      if (step.effect() == null) {
        report.add(
            compensate.position(),
            "step '%s' has a compensation and no effect that it could undo".formatted(step.id()),
            "Give the step an effect, or remove compensate.");
      }
    }
  }

  private static void check(StepKind kind, @Nullable EffectContract effect, Report report) {
    if (effect == null) {
      return;
    }
    EffectContract.GuardBlock guard = effect.guard();
    boolean sends =
        kind instanceof StepKind.Http
            || kind instanceof StepKind.Db
            || kind instanceof StepKind.Email
            || kind instanceof StepKind.Ssh
            || kind instanceof StepKind.Call;
    if (!sends) {
      report.add(
          effect.position(),
          "a step of kind %s sends nothing itself, so it has no effect".formatted(kind.word()),
          "Remove effect.");
    } else if (guard instanceof EffectContract.GuardBlock.Transaction
        && !(kind instanceof StepKind.Db)) {
      report.add(
          guard.position(),
          "guard transaction is for db steps: its marker commits in the same database as the write",
          "Use keyed, upsert, lookup or none.");
    } else if (guard instanceof EffectContract.GuardBlock.Keyed
        && (kind instanceof StepKind.Db || kind instanceof StepKind.Email)) {
      report.add(
          guard.position(),
          "guard keyed does not fit %s: nobody there removes duplicates by a key"
              .formatted(kind.word()),
          kind instanceof StepKind.Db ? "Use transaction or upsert." : "Use none or lookup.");
    }
    if (effect.version() != null && effect.kind() != EffectKind.UPDATE) {
      report.add(
          effect.version().position(),
          "only an update has a version, this is a %s".formatted(effect.kind().word()),
          "Remove version, or make it kind: update.");
    }
  }
}
