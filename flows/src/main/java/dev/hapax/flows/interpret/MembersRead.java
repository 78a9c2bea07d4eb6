package dev.hapax.flows.interpret;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.step.StepResult;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The members of step results that a file reads by name, apart from those that every result has. A
 * result has only these: they cost something, and {@code ${steps.x}} must stay the same value for
 * files that were written before a member existed.
 */
final class MembersRead {
  /** The round of rework, a member of {@code run}. */
  static final String ROUND = "round";

  private final Map<String, Set<String>> byStep = new HashMap<>();
  private boolean readsRound;

  MembersRead(FlowFile file) {
    Stream<Template> ofSteps = file.allSteps().stream().flatMap(FlowStep::templates);
    Stream<Template> ofEnd = file.output() == null ? Stream.empty() : file.output().templates();
    Stream.concat(ofSteps, ofEnd)
        .flatMap(template -> template.reach().paths().stream())
        .forEach(this::add);
  }

  private void add(List<String> path) {
    readsRound |= path.equals(List.of("run", ROUND));
    if (path.size() > 2
        && path.getFirst().equals("steps")
        && !StepResult.ALWAYS.contains(path.get(2))) {
      byStep.computeIfAbsent(path.get(1), _ -> new HashSet<>()).add(path.get(2));
    }
  }

  boolean readsRound() {
    return readsRound;
  }

  Set<String> of(FlowStep step) {
    return byStep.getOrDefault(step.id(), Set.of());
  }
}
