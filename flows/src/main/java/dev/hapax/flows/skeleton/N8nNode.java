package dev.hapax.flows.skeleton;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A node of an n8n workflow.
 *
 * @param kind its type without the package, for example {@code httpRequest}
 */
record N8nNode(String name, String kind, double version, JsonNode parameters, JsonNode json) {
  /** Names are unique in a workflow, and comparing all of the JSON would take long. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof N8nNode node && node.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  static N8nNode of(String name, JsonNode json) {
    String type = json.path("type").asString("");
    String kind = type.substring(type.lastIndexOf('.') + 1);
    return new N8nNode(
        name, kind, json.path("typeVersion").asDouble(1), json.path("parameters"), json);
  }

  String text(String parameter) {
    return parameters.path(parameter).asString("");
  }

  boolean isDisabled() {
    return json.path("disabled").asBoolean(false);
  }

  boolean isTrigger() {
    return switch (kind) {
      case "webhook", "cron", "interval", "start" -> true;
      default -> kind.endsWith("Trigger");
    };
  }

  /** Whether it only passes its items on. */
  boolean isEmpty() {
    return kind.equals("noOp") || kind.equals("merge");
  }

  boolean isNote() {
    return kind.equals("stickyNote");
  }

  /** Whether it is a loop over batches. */
  boolean isLoop() {
    return kind.equals("splitInBatches");
  }

  /** The output that leads into the loop; older versions have it first. */
  int loopOutput() {
    return version >= 3 ? 1 : 0;
  }
}
