package dev.hapax.app.mcp.tool;

import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Builds the JSON Schema of a tool's arguments. */
final class ArgumentSchema {
  static final String PROPERTIES = "properties";
  static final String REQUIRED = "required";

  private final ObjectNode schema = JsonNodeFactory.instance.objectNode();

  private ArgumentSchema() {
    schema.put("type", "object");
    schema.putObject(PROPERTIES);
    schema.put("additionalProperties", false);
  }

  static ArgumentSchema of() {
    return new ArgumentSchema();
  }

  /** An argument that must be given. */
  ArgumentSchema must(String name, String type, String description) {
    schema.withArray(REQUIRED).add(name);
    return may(name, type, description);
  }

  /** An argument that can be left out. */
  ArgumentSchema may(String name, String type, String description) {
    ObjectNode argument = ((ObjectNode) schema.get(PROPERTIES)).putObject(name);
    if (!type.isEmpty()) {
      argument.put("type", type);
    }
    argument.put("description", description);
    return this;
  }

  /** The arguments of every list. */
  ArgumentSchema paged() {
    return may("limit", "integer", "At most so many items, 1 to 200; 20 unless given.")
        .may("after", "string", "The value of `next` of the part before.");
  }

  /** The arguments of every tool that shows a preview. */
  ArgumentSchema read() {
    return may(
        "pointer",
        "string",
        "A JSON pointer such as `/output/items`: only this part, shown with more room.");
  }

  ObjectNode build() {
    return schema;
  }
}
