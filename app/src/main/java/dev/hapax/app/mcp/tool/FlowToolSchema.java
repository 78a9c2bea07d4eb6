package dev.hapax.app.mcp.tool;

import dev.hapax.flows.file.FlowFile;
import dev.hapax.flows.yaml.JsonSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The arguments of a flow's tool: its input, and the key if the flow computes none. The protocol
 * wants an object, so an input of another type is the argument {@code input}.
 *
 * @param json the schema
 * @param wraps whether the input is the argument {@code input}
 * @param asksForKey whether the call must bring a key
 * @param keyIsInput whether the input itself has a member with the key's name
 */
record FlowToolSchema(ObjectNode json, boolean wraps, boolean asksForKey, boolean keyIsInput) {
  static final String KEY = "idempotencyKey";
  static final String KEY_WORDS =
      "Names what you want to have done once, for example an order number or a ticket id. Repeat"
          + " this call with the same value if you do not know whether it worked: the same value"
          + " for the same intent, also when you retry. Use a new value only for a new intent.";
  private static final String INPUT = "input";

  static FlowToolSchema of(FlowFile flow) {
    JsonSchema schema = flow.input();
    JsonNode source = schema == null ? null : schema.source();
    boolean wraps = source != null && !isOfObject(source);
    ObjectNode json = source != null && wraps ? wrapped(source) : open(source);
    boolean asks = flow.key() == null;
    boolean isInput = !wraps && json.path(ArgumentSchema.PROPERTIES).has(KEY);
    if (asks) {
      addKey(json, isInput);
    }
    return new FlowToolSchema(json, wraps, asks, isInput);
  }

  private static boolean isOfObject(JsonNode schema) {
    JsonNode type = schema.path("type");
    return (type.isString() && type.stringValue().equals("object"))
        || (type.isMissingNode() && schema.has(ArgumentSchema.PROPERTIES));
  }

  private static ObjectNode open(@Nullable JsonNode source) {
    ObjectNode json =
        source instanceof ObjectNode object
            ? object.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    json.put("type", "object");
    return json;
  }

  /** References within the schema begin at its root, so definitions stay there. */
  private static ObjectNode wrapped(JsonNode source) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("type", "object");
    JsonNode inner = source.deepCopy();
    if (inner instanceof ObjectNode object && object.has("$defs")) {
      json.set("$defs", object.remove("$defs"));
    }
    json.putObject(ArgumentSchema.PROPERTIES).set(INPUT, inner);
    json.putArray(ArgumentSchema.REQUIRED).add(INPUT);
    return json;
  }

  private static void addKey(ObjectNode json, boolean isInput) {
    if (!isInput) {
      json.withObjectProperty(ArgumentSchema.PROPERTIES)
          .putObject(KEY)
          .put("type", "string")
          .put("minLength", 1)
          .put("maxLength", 512)
          .put("description", KEY_WORDS);
    }
    var required = json.withArrayProperty(ArgumentSchema.REQUIRED);
    for (JsonNode name : required) {
      if (name.asString("").equals(KEY)) {
        return;
      }
    }
    required.add(KEY);
  }

  /** Returns the input that these arguments mean. */
  JsonNode inputOf(ObjectNode arguments) {
    if (wraps) {
      JsonNode input = arguments.get(INPUT);
      return input == null ? JsonNodeFactory.instance.nullNode() : input;
    }
    if (!asksForKey || keyIsInput) {
      return arguments;
    }
    ObjectNode input = arguments.deepCopy();
    input.remove(java.util.List.of(KEY));
    return input;
  }
}
