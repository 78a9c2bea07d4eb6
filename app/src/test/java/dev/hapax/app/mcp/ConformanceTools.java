package dev.hapax.app.mcp;

import dev.hapax.app.http.Call;
import dev.hapax.app.mcp.tool.AgentCall;
import dev.hapax.app.mcp.tool.AgentTool;
import dev.hapax.app.mcp.tool.Tasks;
import dev.hapax.app.mcp.tool.ToolBox;
import dev.hapax.app.mcp.tool.ToolDefinition;
import dev.hapax.app.mcp.tool.ToolHints;
import dev.hapax.app.mcp.tool.ToolResult;
import dev.hapax.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The tools that the public conformance suite prescribes, behind our own endpoint. */
final class ConformanceTools implements ToolBox, Tasks {
  private static final String PIXEL =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
  private static final String SILENCE =
      "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";
  private static final String SCHEMA =
      """
      {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
       "$defs": {"address": {"$anchor": "addressDef", "type": "object",
         "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
       "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
         "contactMethod": {"type": "string", "enum": ["phone", "email"]},
         "phone": {"type": "string"}, "email": {"type": "string"}},
       "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
       "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
       "then": {"required": ["phone"]}, "else": {"required": ["email"]}, "additionalProperties": false}
      """;

  private final List<AgentTool> tools = new ArrayList<>();
  private final Map<String, Work> works = new ConcurrentHashMap<>();

  /** Work that ends by itself at a time, or when it is canceled. */
  private record Work(Instant begun, Instant end, boolean fails, boolean isCanceled) {}

  private record Fixed(String name, ObjectNode schema, Function<AgentCall, ToolResult> result)
      implements AgentTool {
    @Override
    public ToolDefinition definition() {
      return new ToolDefinition(name, name, "Of the conformance suite.", schema, ToolHints.READ);
    }

    @Override
    public Kind kind() {
      return Kind.READ;
    }

    @Override
    public boolean isFor(Call caller) {
      return true;
    }

    @Override
    public ToolResult call(AgentCall call) {
      return result.apply(call);
    }
  }

  ConformanceTools() {
    Map<String, Object> image = Map.of("type", "image", "data", PIXEL, "mimeType", "image/png");
    add("test_simple_text", "{}", _ -> result(text("This is a simple text response for testing.")));
    add("test_image_content", "{}", _ -> result(image));
    add(
        "test_audio_content",
        "{}",
        _ -> result(Map.of("type", "audio", "data", SILENCE, "mimeType", "audio/wav")));
    add(
        "test_embedded_resource",
        "{}",
        _ ->
            result(
                resource(
                    "test://embedded-resource",
                    "text/plain",
                    "This is an embedded resource content.")));
    add(
        "test_multiple_content_types",
        "{}",
        _ ->
            result(
                text("Multiple content types test:"),
                image,
                resource(
                    "test://mixed-content-resource",
                    "application/json",
                    "{\"test\":\"data\",\"value\":123}")));
    add(
        "test_error_handling",
        "{}",
        _ ->
            new ToolResult(
                List.of(text("This tool intentionally returns an error for testing")),
                null,
                true,
                ToolResult.Outcome.FAILED,
                null));
    add("test_logging_tool", "{}", _ -> result(text("nothing is logged to the client")));
    add("json_schema_2020_12_tool", SCHEMA, _ -> result(text("fine")));
    add(
        "greet",
        "{\"type\": \"object\", \"properties\": {\"name\": {\"type\": \"string\"}}}",
        call -> result(text("Hello, %s!".formatted(call.text("name")))));
    add(
        "slow_compute",
        "{\"type\": \"object\", \"properties\": {\"seconds\": {\"type\": \"number\"}}}",
        call -> work(Long.parseLong(call.text("seconds")), false));
    add("failing_job", "{}", _ -> work(1, true));
  }

  private void add(String name, String schema, Function<AgentCall, ToolResult> result) {
    var json = (ObjectNode) Json.tree(schema);
    json.put("type", "object");
    tools.add(new Fixed(name, json, result));
  }

  private static Map<String, Object> text(String text) {
    return Map.of("type", "text", "text", text);
  }

  private static Map<String, Object> resource(String uri, String type, String text) {
    return Map.of(
        "type", "resource", "resource", Map.of("uri", uri, "mimeType", type, "text", text));
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  private static ToolResult result(Map<String, Object>... content) {
    return new ToolResult(List.of(content), null, false, ToolResult.Outcome.DONE, null);
  }

  private ToolResult work(long seconds, boolean fails) {
    if (seconds == 0) {
      return result(text("computed"));
    }
    String id = "task-" + works.size();
    Instant now = Instant.now();
    works.put(id, new Work(now, now.plusSeconds(seconds), fails, false));
    return result(text("under way")).ofOpenRun(id);
  }

  @Override
  public Part list(Call caller, @Nullable String cursor) {
    return new Part(tools, null);
  }

  @Override
  public @Nullable AgentTool find(Call caller, String name) {
    return tools.stream()
        .filter(tool -> tool.definition().name().equals(name))
        .findFirst()
        .orElse(null);
  }

  @Override
  public boolean mayAsk(Call call) {
    return true;
  }

  @Override
  public Map<String, Object> created(Call call, String task) {
    Map<String, Object> state = get(call, task, false);
    state.remove("result");
    state.put("resultType", "task");
    return state;
  }

  @Override
  public Map<String, Object> get(Call call, String task, boolean opensPages) {
    Work work = works.get(task);
    if (work == null) {
      throw new IllegalArgumentException("there is no task '%s'".formatted(task));
    }
    boolean isOver = Instant.now().isAfter(work.end());
    var state = new LinkedHashMap<String, Object>();
    state.put("taskId", task);
    state.put("status", work.isCanceled() ? "cancelled" : isOver ? "completed" : "working");
    state.put("createdAt", work.begun().toString());
    state.put("lastUpdatedAt", work.begun().toString());
    state.put("ttlMs", null);
    state.put("pollIntervalMs", 100);
    if (state.get("status").equals("completed")) {
      state.put("result", Map.of("content", List.of(text("done")), "isError", work.fails()));
    }
    return state;
  }

  @Override
  public void update(Call call, String task) {
    throw new IllegalArgumentException("the task '%s' asks for no input".formatted(task));
  }

  @Override
  public void cancel(Call call, String task) {
    Work work = Objects.requireNonNull(works.get(task));
    if (Instant.now().isBefore(work.end())) {
      works.put(task, new Work(work.begun(), work.end(), work.fails(), true));
    }
  }
}
