package dev.hapax.app.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.cli.connection.Address;
import dev.hapax.app.cli.connection.ServerClient;
import dev.hapax.app.cli.connection.Target;
import dev.hapax.app.cli.output.Refusal;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A server that dies while it carries out a call, and comes back. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class McpPostTest {
  private static final String CALL =
      """
      {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "retry_run", "arguments": {}}}
      """;

  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger lists = new AtomicInteger();
  private volatile boolean isRepeatable;
  private HttpServer server;
  private McpPost post;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    post = new McpPost(new ServerClient(new Target(Address.of(url), "token")));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      boolean isList = body.contains("tools/list");
      int count = (isList ? lists : calls).incrementAndGet();
      if (isList ? count <= 2 : count == 1) {
        return; // it is dead
      }
      String result =
          isList
              ? "{\"tools\": [{\"name\": \"retry_run\", \"_meta\": {\"dev.hapax/repeatable\": %s}}]}"
                  .formatted(isRepeatable)
              : "{\"content\": []}";
      byte[] bytes =
          "{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": %s}"
              .formatted(result)
              .getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(isList && count == 3 ? 503 : 200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Test
  void a_call_that_may_have_arrived_is_not_sent_again_before_that_is_known_to_be_safe() {
    JsonNode call = Json.tree(CALL);

    assertThatThrownBy(() -> post.send(call))
        .isInstanceOfSatisfying(
            Refusal.class, refused -> assertThat(refused.hint()).contains("look first"));

    assertThat(calls).hasValue(1);
    assertThat(lists).hasValue(4);
  }

  @Test
  void a_call_with_a_key_is_sent_again_when_the_server_is_back() throws Exception {
    isRepeatable = true;

    assertThat(post.send(Json.tree(CALL)).status()).isEqualTo(200);

    assertThat(calls).hasValue(2);
  }
}
