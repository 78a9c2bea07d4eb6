package dev.hapax.app.cli.agent;

import dev.hapax.app.cli.connection.ServerReply;
import dev.hapax.app.cli.output.Output;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.app.cli.output.Surroundings;
import dev.hapax.json.Json;
import dev.hapax.json.NotSerializable;
import dev.hapax.time.Ports;
import dev.hapax.time.Threads;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A server of MCP on standard input and output: one message per line. Each request is passed on by
 * a thread of its own, since a client sends the next one before the answer. Nothing but messages
 * reaches the output.
 */
final class StdioProxy {
  private static final int MOST_AT_ONCE = 64;
  private static final int LONGEST_LINE = 4 << 20;
  private static final int INTERNAL = -32603;
  private static final int PARSE = -32700;

  private final McpPost post;
  private final InputStream in;
  private final Output out;
  private final Threads threads = Ports.system().threads();
  private final Semaphore room = new Semaphore(MOST_AT_ONCE);

  StdioProxy(McpPost post, Surroundings surroundings, Output out) {
    this.post = post;
    this.in = new BufferedInputStream(surroundings.in());
    this.out = out;
  }

  /** Returns when the input has ended and every request has its answer. */
  void run() throws IOException, InterruptedException {
    for (String line = line(); line != null; line = line()) {
      if (!line.isBlank()) {
        pass(line);
      }
    }
    room.acquire(MOST_AT_ONCE);
  }

  private @Nullable String line() throws IOException {
    var line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b == '\n') {
        return line.toString(StandardCharsets.UTF_8);
      }
      if (line.size() < LONGEST_LINE) { // the rest of a longer one is skipped, and it is no JSON
        line.write(b);
      }
    }
    return line.size() == 0 ? null : line.toString(StandardCharsets.UTF_8);
  }

  private void pass(String line) throws InterruptedException {
    JsonNode message;
    try {
      message = Json.tree(line);
    } catch (NotSerializable e) {
      say(error(null, PARSE, "expected one JSON message in a line of at most 4 MB"));
      return;
    }
    room.acquire();
    threads.virtual(
        "hapax-mcp",
        () -> {
          try {
            answer(message);
          } finally {
            room.release();
          }
        });
  }

  private void answer(JsonNode message) {
    JsonNode id = message.get("id");
    try {
      JsonNode answer = answered(id, post.send(message));
      if (answer != null && id != null) {
        say(answer);
      }
    } catch (Refusal refused) {
      fail(id, refused.message() + ". " + refused.hint());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      fail(id, "unexpected error: " + e);
    }
  }

  private void fail(@Nullable JsonNode id, String why) {
    if (id != null) {
      say(error(id, INTERNAL, why));
    }
  }

  /** Returns the message of an answer; a refusal of the server becomes one. */
  private static @Nullable JsonNode answered(@Nullable JsonNode id, ServerReply reply) {
    if (reply.status() == 202) {
      return null;
    }
    JsonNode body;
    try {
      body = Json.tree(reply.text().isEmpty() ? "{}" : reply.text());
    } catch (NotSerializable e) {
      body = JsonNodeFactory.instance.objectNode();
    }
    if (body.has("jsonrpc")) {
      return body;
    }
    String detail = body.path("detail").asString("the answer is not one of a Hapax server");
    String hint =
        reply.status() == 401 ? ". Set HAPAX_TOKEN to a token of the server, or use a profile" : "";
    return error(
        id, INTERNAL, "the server answered %d: %s%s".formatted(reply.status(), detail, hint));
  }

  private static JsonNode error(@Nullable JsonNode id, int code, String message) {
    var error = new LinkedHashMap<String, Object>();
    error.put("code", code);
    error.put("message", message);
    var answer = new LinkedHashMap<String, Object>();
    answer.put("jsonrpc", "2.0");
    answer.put("id", id);
    answer.put("error", error);
    return Json.tree(Json.write(answer));
  }

  private synchronized void say(JsonNode message) {
    out.raw(Json.write(message) + "\n");
  }
}
