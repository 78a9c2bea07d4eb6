package dev.hapax.app.mcp.tool;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * A tool as {@code tools/list} shows it.
 *
 * @param name what a client calls it by
 * @param title for people
 * @param description for the model
 * @param input JSON Schema of its arguments, always of an object
 */
public record ToolDefinition(
    String name, String title, String description, ObjectNode input, ToolHints hints) {
  private static final String REPEATABLE = "dev.hapax/repeatable";

  /**
   * Returns it as both revisions of the protocol have it.
   *
   * @param isRepeatable whether a call whose answer was lost may be sent again
   */
  public Map<String, Object> json(boolean isRepeatable) {
    var json = new LinkedHashMap<String, Object>();
    json.put("name", name);
    json.put("title", title);
    json.put("description", description);
    json.put("inputSchema", input);
    var annotations = new LinkedHashMap<String, Object>();
    annotations.put("title", title);
    annotations.put("readOnlyHint", hints.isReadOnly());
    annotations.put("destructiveHint", hints.isDestructive());
    annotations.put("idempotentHint", hints.isIdempotent());
    annotations.put("openWorldHint", hints.isOpenWorld());
    json.put("annotations", annotations);
    json.put("_meta", Map.of(REPEATABLE, isRepeatable));
    return json;
  }
}
