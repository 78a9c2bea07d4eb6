package dev.hapax.flows.step;

import dev.hapax.flows.model.ToolForm;
import dev.hapax.flows.yaml.Fields;
import dev.hapax.flows.yaml.JsonSchema;
import dev.hapax.flows.yaml.Shape;
import dev.hapax.flows.yaml.Type;
import dev.hapax.flows.yaml.Types;
import dev.hapax.json.Json;
import java.util.Map;
import java.util.Objects;

/** A flow that a model may run. Its description and its input belong to the release that asks. */
record ModelTool(String name, String flow, String description, JsonSchema input) {
  static final Shape SHAPE =
      Shape.of("tool", "a tool")
          .must("flow", Types.NAME, "The flow that it runs, as a child run.")
          .may(
              "name",
              new Type.Text("[A-Za-z0-9_-]{1,64}", "find_customer"),
              "What the model calls it; default is the name of the flow, with `_` for `.` and `/`.")
          .must("description", Types.TEXT, "What it does, for the model.")
          .must("input", new Type.Schema(), "JSON Schema of its input; the model writes the input.")
          .build();

  static ModelTool read(Fields tool) {
    String flow = tool.text("flow");
    String usual = flow.replaceAll("[^A-Za-z0-9_-]", "_");
    return new ModelTool(
        tool.text("name", usual.substring(0, Math.min(64, usual.length()))),
        flow,
        tool.text("description"),
        Objects.requireNonNull(tool.schema("input"), "input"));
  }

  @SuppressWarnings("unchecked") // an object of JSON
  ToolForm form() {
    return new ToolForm(
        name,
        description,
        (Map<String, Object>) Json.read(input.source().toString(), Object.class));
  }
}
