package dev.hapax.flows.check;

import dev.hapax.flow.OnDoubt;
import dev.hapax.flows.file.EffectContract.GuardBlock;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.file.Step;
import dev.hapax.flows.file.StepKind;
import java.util.ArrayList;
import java.util.List;

/** An unguarded effect before steps whose failure makes people retry. */
final class UnguardedBeforeFailure implements Rule {
  @Override
  public String id() {
    return "unguarded-before-failure";
  }

  @Override
  public Level level() {
    return Level.WARNING;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    check(flow.steps(), List.of(), report);
  }

  /** The steps that follow a step: the rest of its list, and of the lists around it. */
  private static void check(List<Step> steps, List<Step> after, Report report) {
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      var following = new ArrayList<>(steps.subList(i + 1, steps.size()));
      following.addAll(after);
      step.inner().forEach(inner -> check(inner, following, report));
      if (step.effect() == null
          || !(step.effect().guard() instanceof GuardBlock.None none)
          || none.onDoubt() != OnDoubt.REVIEW) { // else a doubt stops nothing
        continue;
      }
      following.stream()
          .filter(UnguardedBeforeFailure::canFail)
          .findFirst()
          .ifPresent(
              next ->
                  report.add(
                      none.position(),
                      "step '%s' has guard none and stands before step '%s', which can fail: a doubt about it stops the run half way"
                          .formatted(step.id(), next.id()),
                      "Move it to the end, or give it a guard that removes duplicates."));
    }
  }

  private static boolean canFail(Step step) {
    if (step.onError() == Step.OnError.CONTINUE) {
      return false;
    }
    return switch (step.kind()) {
      case StepKind.SetValues _, StepKind.Kv _, StepKind.Publish _, StepKind.ResourcePut _ -> false;
      case StepKind.WaitFor _, StepKind.WaitUntil _ -> false;
      case StepKind.WaitCallback callback -> callback.expires() != null;
      case StepKind.Parallel _, StepKind.Choose _ ->
          step.inner().stream().flatMap(List::stream).anyMatch(UnguardedBeforeFailure::canFail);
      default -> true;
    };
  }
}
