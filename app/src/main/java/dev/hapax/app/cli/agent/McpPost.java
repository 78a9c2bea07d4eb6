package dev.hapax.app.cli.agent;

import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.ServerReply;
import dev.hapax.app.cli.connection.ServerRequest;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Sends a message to a server, again if the server is away: for as long as a client waits. A
 * message that may have arrived is sent again only if that is safe.
 */
final class McpPost {
  /** Clients give up after 60 seconds unless they are told otherwise. */
  private static final Duration BUDGET = Duration.ofSeconds(45);

  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final String META = "_meta";
  private static final ServerRequest LIST =
      ServerRequest.post("/mcp")
          .json(Json.write(Map.of("jsonrpc", "2.0", "id", 0, "method", "tools/list")))
          .header("Accept", "application/json, text/event-stream");
  private static final String VERSION = "io.modelcontextprotocol/protocolVersion";

  private final ServerClient server;
  private volatile @Nullable String negotiated;

  McpPost(ServerClient server) {
    this.server = server;
  }

  /** Returns the server's answer. */
  ServerReply send(JsonNode message) throws InterruptedException {
    long end = System.nanoTime() + BUDGET.toNanos();
    while (true) {
      try {
        ServerReply reply = server.send(request(message));
        if (reply.status() != 503 || System.nanoTime() > end || !isRepeatable(message, end)) {
          remember(message, reply);
          return reply;
        }
      } catch (Refusal away) {
        boolean mayHaveArrived = away.code().equals("answer-lost");
        if (System.nanoTime() > end) {
          throw away;
        }
        if (mayHaveArrived && !isRepeatable(message, end)) {
          throw away.hint(
              "this tool has no key, and the call may have been carried out: look first, with"
                  + " list_runs, find or get_draft. Call again only if it was not");
        }
      }
      Thread.sleep(PAUSE);
    }
  }

  /** A client of an earlier revision sends the version in a header, after both have agreed. */
  private void remember(JsonNode message, ServerReply reply) {
    if (message.path("method").asString("").equals("initialize") && reply.status() == 200) {
      negotiated = Json.tree(reply.text()).at("/result/protocolVersion").asString(null);
    }
  }

  private ServerRequest request(JsonNode message) {
    ServerRequest request =
        ServerRequest.post("/mcp")
            .json(Json.write(message))
            .header("Accept", "application/json, text/event-stream");
    JsonNode params = message.path("params");
    String version = params.path(META).path(VERSION).asString("");
    if (version.isEmpty()) {
      return request.header("MCP-Protocol-Version", negotiated);
    }
    String name = params.path("name").asString(params.path("taskId").asString(""));
    return request
        .header("MCP-Protocol-Version", plain(version))
        .header("Mcp-Method", plain(message.path("method").asString("")))
        .header("Mcp-Name", name.isEmpty() ? null : plain(name));
  }

  /** A header takes visible ASCII only. */
  private static String plain(String text) {
    boolean isPlain =
        text.chars().allMatch(c -> c > ' ' && c < 0x7f) && !text.startsWith("=?base64?");
    return isPlain
        ? text
        : "=?base64?%s?="
            .formatted(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Asks the server, which knows which tools have keys, until it is there. As long as it is not
   * known, nothing is sent again.
   */
  private boolean isRepeatable(JsonNode message, long end) throws InterruptedException {
    String method = message.path("method").asString("");
    if (!method.equals("tools/call")) {
      return !method.equals("tasks/cancel");
    }
    String name = message.path("params").path("name").asString("");
    while (System.nanoTime() <= end) {
      try {
        ServerReply reply = server.send(LIST);
        if (reply.status() != 503) {
          return reply.status() == 200 && isRepeatable(name, Json.tree(reply.text()));
        }
      } catch (Refusal away) {
        // it may come back
      } catch (NotSerializable e) {
        return false;
      }
      Thread.sleep(PAUSE);
    }
    return false;
  }

  private static boolean isRepeatable(String name, JsonNode listed) {
    for (JsonNode tool : listed.at("/result/tools")) {
      if (tool.path("name").asString("").equals(name)) {
        return tool.path(META).path("dev.hapax/repeatable").asBoolean(false);
      }
    }
    return false;
  }
}
