package dev.hapax.app.mcp;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.json.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Calls of an agent in the current revision of MCP. */
public final class AgentCalls {
  static final String VERSION = "2026-07-28";
  private static final String PREFIX = "io.modelcontextprotocol/";

  private final TestServer server;
  private final String token;
  private final boolean hasTasks;
  private final boolean opensPages;

  AgentCalls(TestServer server, String token) {
    this(server, token, false);
  }

  public AgentCalls(TestServer server, String token, boolean hasTasks) {
    this(server, token, hasTasks, false);
  }

  /** A client that may be able to ask its user to open a page. */
  AgentCalls(TestServer server, String token, boolean hasTasks, boolean opensPages) {
    this.opensPages = opensPages;
    this.server = server;
    this.token = token;
    this.hasTasks = hasTasks;
  }

  Reply list() {
    return ask("tools/list", Map.of(), null);
  }

  /** Calls a tool with arguments as JSON. */
  public Reply call(String tool, String arguments, String... headers) {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("name", tool);
    params.put("arguments", Json.tree(arguments));
    return ask("tools/call", params, tool, headers);
  }

  public Reply task(String method, String id) {
    return ask(method, Map.of("taskId", id), id);
  }

  Reply ask(String method, Map<String, ?> params, @Nullable String name, String... headers) {
    Map<String, Object> capabilities = new LinkedHashMap<>();
    if (hasTasks) {
      capabilities.put("extensions", Map.of(PREFIX + "tasks", Map.of()));
    }
    if (opensPages) {
      capabilities.put("elicitation", Map.of("url", Map.of()));
    }
    Map<String, Object> all = new LinkedHashMap<>(params);
    Map<String, Object> meta = new LinkedHashMap<>();
    meta.put(PREFIX + "protocolVersion", VERSION);
    meta.put(PREFIX + "clientCapabilities", capabilities);
    if (params.get("_meta") instanceof Map<?, ?> more) {
      more.forEach((key, value) -> meta.put(String.valueOf(key), value));
    }
    all.put("_meta", meta);
    String body = Json.write(Map.of("jsonrpc", "2.0", "id", 7, "method", method, "params", all));
    HttpRequest.Builder request =
        server
            .request("/mcp")
            .setHeader("Authorization", "Bearer " + token)
            .header("Accept", "application/json, text/event-stream")
            .header("MCP-Protocol-Version", VERSION)
            .header("Mcp-Method", method)
            .POST(BodyPublishers.ofString(body));
    if (name != null) {
      request.header("Mcp-Name", name);
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return server.send(request);
  }

  /** Returns the sentence of a result. */
  public static String words(Reply reply) {
    return reply.at("/result/content/0/text");
  }

  /** Returns the data of a result. */
  public static JsonNode data(Reply reply) {
    return reply.body().at("/result/structuredContent");
  }
}
