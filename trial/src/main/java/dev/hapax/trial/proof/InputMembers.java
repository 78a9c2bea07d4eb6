package dev.hapax.trial.proof;

import dev.hapax.flows.expression.Template;
import dev.hapax.flows.expression.ValueTemplate;
import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.trial.sandbox.SchemaSample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Makes an input for a flow without a schema: a text for each member that its file reads. */
final class InputMembers {
  private InputMembers() {}

  static Map<String, Object> of(FlowFile file) {
    Map<String, Object> input = new LinkedHashMap<>();
    Template key = file.key();
    ValueTemplate output = file.output();
    Stream.of(
            key == null ? Stream.<Template>empty() : Stream.of(key),
            file.allSteps().stream().flatMap(FlowStep::templates),
            output == null ? Stream.<Template>empty() : output.templates())
        .flatMap(templates -> templates)
        .flatMap(template -> template.reach().paths().stream())
        .filter(path -> path.size() > 1 && path.getFirst().equals("input"))
        .sorted((one, other) -> Integer.compare(other.size(), one.size())) // the longest first
        .forEach(path -> put(input, path.subList(1, path.size())));
    return input;
  }

  @SuppressWarnings("unchecked") // only this method puts maps into it
  private static void put(Map<String, Object> into, List<String> path) {
    String name = path.getFirst();
    if (path.size() == 1) {
      into.putIfAbsent(name, SchemaSample.text(name));
    } else if (into.computeIfAbsent(name, _ -> new LinkedHashMap<String, Object>())
        instanceof Map<?, ?> inner) {
      put((Map<String, Object>) inner, path.subList(1, path.size()));
    }
  }
}
