package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says which steps are over when a step begins: those before it and before the steps around it,
 * including their inner steps. Steps inside a loop do not count: they have a result per item. In a
 * repetition, the steps of the round before are over, too.
 */
final class Visibility {
  private final Map<FlowStep, Set<String>> before = new LinkedHashMap<>();
  private final Map<FlowStep, Boolean> inLoop = new LinkedHashMap<>();
  private final Map<FlowStep, Set<String>> inRounds = new LinkedHashMap<>();
  private final Set<String> atEnd;
  private final Set<String> all = new HashSet<>();

  Visibility(FlowFile flow) {
    flow.allSteps().forEach(step -> all.add(step.id()));
    this.atEnd = walk(flow.steps(), Set.of(), false);
  }

  Set<String> before(FlowStep step) {
    return before.getOrDefault(step, Set.of());
  }

  /** The steps whose results the conditions of a repetition see, beside those before it. */
  Set<String> inRounds(FlowStep step) {
    return inRounds.getOrDefault(step, Set.of());
  }

  Set<String> atEnd() {
    return atEnd;
  }

  boolean exists(String id) {
    return all.contains(id);
  }

  Set<String> all() {
    return all;
  }

  boolean isInLoop(FlowStep step) {
    return inLoop.getOrDefault(step, false);
  }

  /** Whether a step with this id runs once per item. */
  boolean isInLoop(String id) {
    return inLoop.entrySet().stream()
        .anyMatch(step -> step.getValue() && step.getKey().id().equals(id));
  }

  private Set<String> walk(List<FlowStep> steps, Set<String> known, boolean loop) {
    Set<String> seen = new HashSet<>(known);
    for (FlowStep step : steps) {
      boolean inside = loop || step.forEach() != null;
      before.put(step, Set.copyOf(seen));
      inLoop.put(step, inside);
      List<Set<String>> inner = new ArrayList<>();
      Set<String> within = new HashSet<>(seen);
      if (step.kind().isRepeated()) { // each round sees the one before
        step.inner().forEach(branch -> within.addAll(walk(branch, Set.of(), inside)));
        inRounds.put(step, Set.copyOf(within));
      }
      step.inner().forEach(branch -> inner.add(walk(branch, Set.copyOf(within), inside)));
      if (step.forEach() == null) {
        inner.forEach(seen::addAll);
      }
      seen.add(step.id());
    }
    return seen;
  }
}
