package dev.hapax.flows.check;

import dev.hapax.flows.expression.Reach;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.EffectKind;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.StepGuard;

/** A lookup on an update that would mistake an older content for this one. */
final class LookupComparesNothing implements Rule {
  @Override
  public String id() {
    return "lookup-compares-nothing";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      StepGuard.Lookup lookup = step.effect() == null ? null : step.effect().guard().lookup();
      if (lookup != null
          && step.effect() != null
          && step.effect().kind() == EffectKind.UPDATE
          && lookup.found() != null
          && !compares(lookup.found().reach())) {
        report.add(
            lookup.found().position(),
            "the lookup of update '%s' compares neither version nor content, so older content would count as this update"
                .formatted(step.id()),
            "Compare, for example found: ${response.body.version == input.version}.");
      }
    }
  }

  private static boolean compares(Reach found) {
    return found.reaches("response")
        && (found.reaches("input") || found.reaches("steps") || found.reaches("item"));
  }
}
