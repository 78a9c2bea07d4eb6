package dev.hapax.app.mcp;

import dev.hapax.app.http.Call;
import dev.hapax.app.http.Problem;
import dev.hapax.app.http.RouteAnswer;
import dev.hapax.app.mcp.tool.AgentTool;
import dev.hapax.app.mcp.tool.Tasks;
import dev.hapax.app.mcp.tool.ToolBox;
import dev.hapax.app.mcp.tool.ToolResult;
import dev.hapax.flow.NoAnswer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Revision 2026-07-28: every request stands alone, so any node answers it, also after a restart.
 * Its rules are about what a proxy may believe: headers must say what the body says.
 */
final class CurrentRevision {
  static final String VERSION = "2026-07-28";
  static final String PREFIX = "io.modelcontextprotocol/";
  static final String VERSION_HEADER = "MCP-Protocol-Version";

  private static final String CAPABILITIES = PREFIX + "clientCapabilities";
  private static final String PROTOCOL = PREFIX + "protocolVersion";
  private static final String TASKS = PREFIX + "tasks";
  private static final String BASE64 = "=?base64?";

  /** Tools change with releases and tokens. */
  private static final int LIST_FOR_MILLIS = 5_000;

  private static final int DISCOVERED_FOR_MILLIS = 3_600_000;

  private final ToolCalls calls;
  private final Tasks tasks;
  private final ServerCard card;
  private final List<String> versions;

  /**
   * The revision.
   *
   * @param versions that this server speaks, this one first
   */
  CurrentRevision(ToolCalls calls, Tasks tasks, ServerCard card, List<String> versions) {
    this.calls = calls;
    this.tasks = tasks;
    this.card = card;
    this.versions = versions;
  }

  /** Whether a message is for this revision, also if it is wrong; others are for the one before. */
  boolean isFor(Call call, McpMessage message) {
    String header = call.header(VERSION_HEADER);
    return message.meta().has(PROTOCOL)
        || message.method().equals("server/discover")
        || (header != null && !SdkRevision.VERSIONS.contains(header));
  }

  RouteAnswer answer(Call call, McpMessage message) throws InterruptedException {
    checkMeta(call, message);
    checkHeaders(call, message);
    if (message.isNotification()) {
      return RouteAnswer.noContent().status(202);
    }
    Map<String, Object> result =
        switch (message.method()) {
          case "server/discover" -> discovered();
          case "tools/list" -> listed(call, message);
          case "tools/call" -> called(call, message);
          case "tasks/get" -> asked(message, task -> tasks.get(call, task, opensPages(message)));
          case "tasks/update" ->
              asked(
                  message,
                  task -> {
                    if (!message.params().path("inputResponses").isObject()) {
                      throw new IllegalArgumentException(
                          "params.inputResponses: expected an object");
                    }
                    tasks.update(call, task);
                    return Map.of();
                  });
          case "tasks/cancel" ->
              asked(
                  message,
                  task -> {
                    tasks.cancel(call, task);
                    return Map.of();
                  });
          default ->
              throw McpError.of(
                  McpError.METHOD,
                  "this server has no method '%s' in revision %s"
                      .formatted(message.method(), VERSION));
        };
    var answer = new LinkedHashMap<String, Object>();
    answer.put("jsonrpc", "2.0");
    answer.put("id", message.id());
    answer.put("result", named(result));
    return RouteAnswer.ok(answer);
  }

  private Map<String, Object> named(Map<String, Object> result) {
    var named = new LinkedHashMap<String, Object>();
    named.put("resultType", "complete");
    named.putAll(result);
    named.put("_meta", Map.of(PREFIX + "serverInfo", card.json()));
    return named;
  }

  // ---- what must hold for every request

  private void checkMeta(Call call, McpMessage message) {
    JsonNode version = message.meta().path(PROTOCOL);
    String header = call.header(VERSION_HEADER);
    if (!version.isString()) {
      throw McpError.of(
          McpError.PARAMS,
          "params._meta['%s']: expected a revision, such as '%s'".formatted(PROTOCOL, VERSION));
    }
    if (!version.stringValue().equals(header)) {
      throw mismatch(VERSION_HEADER, header, version.stringValue());
    }
    if (!version.stringValue().equals(VERSION)) {
      throw McpError.of(
              McpError.VERSION,
              "revision '%s' is not supported".formatted(shortened(version.stringValue())))
          .with("supported", versions)
          .with("requested", shortened(version.stringValue()));
    }
    if (!message.meta().path(CAPABILITIES).isObject()) {
      throw McpError.of(
          McpError.PARAMS, "params._meta['%s']: expected an object".formatted(CAPABILITIES));
    }
    if (message.params().has("requestState") && !message.method().startsWith("tasks/")) {
      throw McpError.of(
          McpError.PARAMS,
          "params.requestState: this server asked for no input, so the state is not one of its"
              + " own");
    }
  }

  private static void checkHeaders(Call call, McpMessage message) {
    String method = call.header("Mcp-Method");
    if (!message.method().equals(method)) {
      throw mismatch("Mcp-Method", method, message.method());
    }
    String member =
        switch (message.method()) {
          case "tools/call", "prompts/get" -> "name";
          case "resources/read" -> "uri";
          case "tasks/get", "tasks/update", "tasks/cancel" -> "taskId";
          default -> null;
        };
    if (member != null) {
      String name = message.params().path(member).asString("");
      String header = decoded(call.header("Mcp-Name"));
      if (!name.equals(header)) {
        throw mismatch("Mcp-Name", header, name);
      }
    }
  }

  private static @Nullable String decoded(@Nullable String header) {
    if (header == null || !header.startsWith(BASE64) || !header.endsWith("?=")) {
      return header;
    }
    try {
      String coded = header.substring(BASE64.length(), header.length() - 2);
      return new String(Base64.getDecoder().decode(coded), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw McpError.of(McpError.HEADER, "header Mcp-Name: expected Base64 between the marks");
    }
  }

  private static McpError mismatch(String header, @Nullable String given, String body) {
    return McpError.of(
        McpError.HEADER,
        "header %s: expected '%s' as in the body, got %s"
            .formatted(
                header, shortened(body), given == null ? "nothing" : "'" + shortened(given) + "'"));
  }

  private static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }

  /** What a method does with a task. */
  @FunctionalInterface
  private interface OfTask {
    Map<String, Object> of(String task) throws InterruptedException;
  }

  /** The task methods belong to an extension that both sides must have. */
  private static Map<String, Object> asked(McpMessage message, OfTask method)
      throws InterruptedException {
    if (!hasTasks(message)) {
      throw McpError.of(
              McpError.CAPABILITY,
              "the client has not declared the extension '%s'".formatted(TASKS))
          .with("requiredCapabilities", Map.of("extensions", Map.of(TASKS, Map.of())));
    }
    try {
      return method.of(message.text("taskId"));
    } catch (IllegalArgumentException e) {
      throw McpError.of(McpError.PARAMS, String.valueOf(e.getMessage()));
    }
  }

  private static boolean hasTasks(McpMessage message) {
    return message.meta().path(CAPABILITIES).path("extensions").path(TASKS).isObject();
  }

  /** Whether the client can ask its user to open a page; a request that it cannot is not sent. */
  private static boolean opensPages(McpMessage message) {
    return message.meta().path(CAPABILITIES).path("elicitation").path("url").isObject();
  }

  // ---- methods

  private Map<String, Object> discovered() {
    var result = new LinkedHashMap<String, Object>();
    result.put("supportedVersions", versions);
    var capabilities = new LinkedHashMap<String, Object>();
    capabilities.put("tools", Map.of());
    capabilities.put("extensions", Map.of(TASKS, Map.of()));
    result.put("capabilities", capabilities);
    result.put("instructions", ServerCard.INSTRUCTIONS);
    result.put("ttlMs", DISCOVERED_FOR_MILLIS);
    result.put("cacheScope", "public");
    return result;
  }

  private Map<String, Object> listed(Call call, McpMessage message) {
    JsonNode cursor = message.params().path("cursor");
    ToolBox.Part part;
    try {
      part = calls.tools().list(call, cursor.isString() ? cursor.stringValue() : null);
    } catch (IllegalArgumentException e) {
      throw McpError.of(McpError.PARAMS, String.valueOf(e.getMessage()));
    }
    var result = new LinkedHashMap<String, Object>();
    result.put("tools", part.tools().stream().map(AgentTool::json).toList());
    if (part.next() != null) {
      result.put("nextCursor", part.next());
    }
    result.put("ttlMs", LIST_FOR_MILLIS);
    result.put("cacheScope", "private");
    return result;
  }

  private Map<String, Object> called(Call call, McpMessage message) throws InterruptedException {
    AgentTool tool = calls.named(call, message);
    if (tool == null) {
      throw McpError.of(
          McpError.PARAMS, "there is no tool '%s'".formatted(shortened(message.text("name"))));
    }
    ToolResult result = calls.call(tool, call, message);
    String run = result.openRun();
    return run != null && hasTasks(message) && tasks.mayAsk(call)
        ? created(call, run, result)
        : result.json();
  }

  /** The run has begun: if its task cannot be read now, the plain result names it. */
  private Map<String, Object> created(Call call, String run, ToolResult result)
      throws InterruptedException {
    try {
      return tasks.created(call, run);
    } catch (Problem | NoAnswer | IllegalArgumentException e) {
      return result.json();
    }
  }
}
