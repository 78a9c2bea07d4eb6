package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectContract;
import dev.hapax.flows.step.FlowStep;
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
  public boolean needsWholeFile() {
    return true;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    check(flow.steps(), List.of(), report);
  }

  /** The steps that follow a step: the rest of its list, and of the lists around it. */
  private static void check(List<FlowStep> steps, List<FlowStep> after, Report report) {
    for (int i = 0; i < steps.size(); i++) {
      FlowStep step = steps.get(i);
      var following = new ArrayList<>(steps.subList(i + 1, steps.size()));
      following.addAll(after);
      step.inner().forEach(inner -> check(inner, following, report));
      EffectContract effect = step.effect();
      if (effect == null || !effect.guard().stopsOnDoubt()) {
        continue;
      }
      following.stream()
          .filter(FlowStep::canFail)
          .findFirst()
          .ifPresent(
              next ->
                  report.add(
                      effect.guard().position(),
                      "step '%s' has guard none and comes before step '%s', which can fail: a doubt about it stops the run halfway"
                          .formatted(step.id(), next.id()),
                      "Move it to the end, or give it a guard that removes duplicates."));
    }
  }
}
