package dev.hapax.flows.check;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.step.FlowStep;
import dev.hapax.flows.yaml.JsonSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A schema for answers that providers refuse. */
final class ModelSchema implements Rule {
  private static final int LARGEST = 32 << 10;
  private static final int DEEPEST = 10;

  @Override
  public String id() {
    return "model-schema";
  }

  @Override
  public Level level() {
    return Level.ERROR;
  }

  @Override
  public void check(FlowFile flow, Report report) {
    for (FlowStep step : flow.allSteps()) {
      JsonSchema schema = step.kind().modelSchema();
      String problem = schema == null ? null : problem(schema.source());
      if (problem != null) {
        report.add(
            step.kind().position(),
            "the schema of step '%s' %s".formatted(step.id(), problem),
            "Ask for an object with few members, for example {type: object, required: [kind],"
                + " properties: {kind: {enum: [order, complaint]}}}.");
      }
    }
  }

  private static @Nullable String problem(JsonNode schema) {
    if (!schema.path("type").asString("").equals("object")) {
      return "is not one of an object: providers write no other answers";
    }
    int size = schema.toString().length();
    if (size > LARGEST) {
      return "is too large: expected at most %,d characters, got %,d".formatted(LARGEST, size);
    }
    return depth(schema) > DEEPEST
        ? "is nested too deeply: providers take at most %d levels".formatted(DEEPEST)
        : null;
  }

  /** Objects and lists inside each other. */
  private static int depth(JsonNode schema) {
    int deepest = 0;
    for (JsonNode inner : schema.path("properties")) {
      deepest = Math.max(deepest, depth(inner));
    }
    if (schema.path("items").isObject()) {
      deepest = Math.max(deepest, depth(schema.get("items")));
    }
    return deepest + 1;
  }
}
