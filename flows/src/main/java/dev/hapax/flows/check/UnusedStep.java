package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A step that only computes or reads, and whose result is never used. */
final class UnusedStep implements Rule {
  @Override
  public String id() {
    return "unused-step";
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
    var used = new HashSet<String>();
    flow.allSteps()
        .forEach(step -> step.templates().forEach(text -> used.addAll(text.reach().steps())));
    if (flow.output() != null) {
      used.addAll(flow.output().reach().steps());
    }
    boolean usesAll =
        flow.allSteps().stream()
                .flatMap(FlowStep::templates)
                .anyMatch(text -> text.reach().paths().contains(List.of("steps")))
            || (flow.output() != null && flow.output().reach().paths().contains(List.of("steps")));
    if (usesAll) {
      return;
    }
    for (FlowStep step : flow.allSteps()) {
      if (step.kind().onlyReads()
          && !used.contains(step.id())
          && !isUsedFromOutside(flow, step, used)) {
        report.add(
            step.position(),
            "nothing uses the result of step '%s', and the step changes nothing"
                .formatted(step.id()),
            "Remove it, or use ${steps.%s.output}.".formatted(step.id()));
      }
    }
  }

  /** The last output of a branch is the output of the step around it. */
  private static boolean isUsedFromOutside(FlowFile flow, FlowStep step, Set<String> used) {
    return flow.allSteps().stream()
        .filter(outer -> used.contains(outer.id()))
        .anyMatch(
            outer ->
                outer.inner().stream()
                    .anyMatch(branch -> !branch.isEmpty() && branch.getLast().equals(step)));
  }
}
