package dev.hapax.app.mcp;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request or a notification of a client.
 *
 * @param source the whole message
 * @param id null of a notification
 * @param params empty if there are none
 */
record McpMessage(ObjectNode source, @Nullable JsonNode id, String method, ObjectNode params) {
  private static final int LONGEST_METHOD = 128;
  private static final int LONGEST_ID = 256;

  /** Refuses what is not one message of a client. */
  static McpMessage of(JsonNode json) {
    if (json.isArray()) {
      throw McpError.of(
          McpError.REQUEST, "expected one message, got a list: batches are not supported");
    }
    if (!(json instanceof ObjectNode message)) {
      throw McpError.of(McpError.REQUEST, "expected an object");
    }
    if (!"2.0".equals(message.path("jsonrpc").asString(""))) {
      throw McpError.of(McpError.REQUEST, "jsonrpc: expected \"2.0\"");
    }
    JsonNode method = message.path("method");
    if (!method.isString() || method.stringValue().length() > LONGEST_METHOD) {
      throw McpError.of(
          McpError.REQUEST,
          "method: expected the name of a method. This server sends no requests, so it takes no"
              + " responses");
    }
    return new McpMessage(message, id(message), method.stringValue(), params(message));
  }

  private static @Nullable JsonNode id(ObjectNode message) {
    JsonNode id = message.get("id");
    if (id == null) {
      return null;
    }
    boolean isFine =
        id.isIntegralNumber() || (id.isString() && id.stringValue().length() <= LONGEST_ID);
    if (!isFine) {
      throw McpError.of(
          McpError.REQUEST,
          "id: expected a whole number, or a text of at most %d characters".formatted(LONGEST_ID));
    }
    return id;
  }

  private static ObjectNode params(ObjectNode message) {
    return switch (message.get("params")) {
      case null -> JsonNodeFactory.instance.objectNode();
      case ObjectNode params -> params;
      default -> throw McpError.of(McpError.PARAMS, "params: expected an object");
    };
  }

  boolean isNotification() {
    return id == null;
  }

  JsonNode meta() {
    return params.path("_meta");
  }

  /** Returns a text of the parameters. */
  String text(String name) {
    JsonNode value = params.path(name);
    if (!value.isString() || value.stringValue().isEmpty()) {
      throw McpError.of(McpError.PARAMS, "params.%s: expected a text".formatted(name));
    }
    return value.stringValue();
  }

  /** Returns the arguments of a tool. */
  ObjectNode arguments() {
    return switch (params.get("arguments")) {
      case null -> JsonNodeFactory.instance.objectNode();
      case ObjectNode arguments -> arguments;
      default -> throw McpError.of(McpError.PARAMS, "params.arguments: expected an object");
    };
  }
}
