package dev.hapax.app.mcp.tool;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON cut to a size that a model's context can hold. Where something was left out, its size stands
 * in its place.
 *
 * @param bytes about how large the whole value is
 */
record Preview(JsonNode value, boolean isWhole, long bytes) {
  static final int USUAL = 8_000;
  static final int LARGE = 40_000;

  private static final Room[] ROOMS = {
    new Room(2_000, 50, 10), new Room(400, 20, 8), new Room(120, 8, 6), new Room(60, 3, 4)
  };

  /** How long texts, lists and paths may be. */
  private record Room(int text, int items, int depth) {}

  /** Returns a preview of about so many characters at most. */
  static Preview of(JsonNode whole, int most) {
    int size = whole.toString().length();
    if (size <= most) {
      return new Preview(whole, true, size);
    }
    JsonNode cut = whole;
    for (Room room : ROOMS) {
      cut = cut(whole, room, 0);
      if (cut.toString().length() <= most) {
        return new Preview(cut, false, size);
      }
    }
    return new Preview(
        JsonNodeFactory.instance.objectNode().put("leftOut", "%,d characters".formatted(size)),
        false,
        size);
  }

  private static JsonNode cut(JsonNode node, Room room, int depth) {
    if (node.isString()) {
      return shortened(node, room);
    }
    if (!node.isContainer()) {
      return node;
    }
    if (depth >= room.depth()) {
      return text("… (%,d characters left out)".formatted(node.toString().length()));
    }
    return node.isArray() ? list(node, room, depth) : members(node, room, depth);
  }

  private static JsonNode shortened(JsonNode node, Room room) {
    String text = node.stringValue();
    if (text.length() <= room.text()) {
      return node;
    }
    int end = room.text() - (Character.isHighSurrogate(text.charAt(room.text() - 1)) ? 1 : 0);
    return text("%s… (%,d characters in all)".formatted(text.substring(0, end), text.length()));
  }

  private static JsonNode list(JsonNode node, Room room, int depth) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    for (JsonNode item : node) {
      if (list.size() == room.items()) {
        list.add("… (%,d items in all)".formatted(node.size()));
        break;
      }
      list.add(cut(item, room, depth + 1));
    }
    return list;
  }

  private static JsonNode members(JsonNode node, Room room, int depth) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      if (object.size() == room.items() * 2) {
        object.put("…", "%,d members in all".formatted(node.size()));
        break;
      }
      object.set(member.getKey(), cut(member.getValue(), room, depth + 1));
    }
    return object;
  }

  private static JsonNode text(String text) {
    return JsonNodeFactory.instance.stringNode(text);
  }
}
