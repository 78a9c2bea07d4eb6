package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.http.Method;
import dev.hapax.app.http.Route;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A restored store that no person has declared reaches nothing outside, no matter which route is
 * asked: each connection of the flows leads to one listener, and nothing arrives there.
 */
@Timeout(240)
class HeldServerTest {
  /** They end what is tested, or hold the connection open. */
  private static final Set<String> NOT_ASKED =
      Set.of(
          "POST /api/restore",
          "POST /api/secrets/{name}",
          "GET /api/events",
          "DELETE /api/connections/{name}",
          "DELETE /api/flows/{flow}/live",
          "DELETE /api/secrets/{name}");

  private static final String FLOW =
      """
      flow: calls
      expose: mcp
      key: ${input.id}
      triggers:
        - queue: {connection: queues, queue: orders, event: "${event.body.id}", input: {id: "${event.body.id}"}}
        - schedule: {name: often, cron: "* * * * *", input: {id: "${schedule.time}"}}
      input:
        type: object
        properties: {id: {type: string}}
        required: [id]
      steps:
        - id: send
          http: {connection: shop, method: POST, path: /orders, body: {id: "${input.id}"}}
          effect: {kind: create, key: "${input.id}", guard: none}
      """;

  @TempDir private Path folder;
  private String run = "";
  private String effect = "";

  /** Plausible bodies of the routes that start, test, send, move or repair something. */
  private static Map<String, String> bodies() {
    var bodies = new TreeMap<String, String>();
    bodies.put("POST /api/flows/{flow}/runs", "{\"id\": \"new\"}");
    bodies.put("POST /api/queues/{name}/seek", "{\"since\": \"2020-01-01T00:00:00Z\"}");
    bodies.put(
        "POST /api/once",
        "{\"effect\": {\"name\": \"once\", \"key\": \"k-1\", \"guard\": \"none\", \"kind\": \"create\"},"
            + " \"connection\": \"shop\", \"http\": {\"method\": \"POST\", \"path\": \"/orders\"}}");
    bodies.put(
        "POST /mcp",
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\":"
            + " \"calls\", \"arguments\": {\"id\": \"by-agent\"}}}");
    bodies.put("POST /api/jobs", "{\"kind\": \"retry\", \"filter\": {\"flow\": \"calls\"}}");
    bodies.put("POST /api/reconciliations", "{\"flow\": \"calls\", \"step\": \"send\"}");
    bodies.put("POST /api/alerts/test", "{}");
    return bodies;
  }

  @Test
  void no_route_of_a_server_whose_store_was_restored_reaches_a_connection() throws Exception {
    try (var outside = new Listener()) {
      restoredFrom(outside);
      try (var server = new TestServer(folder, true)) {
        assertThat(server.get("/readyz").raw().body()).contains("restored");
        int before = outside.count.get();

        List<String> answers = askAll(server);

        assertThat(answers).hasSizeGreaterThan(100);
        assertThat(answers)
            .contains(
                "POST /api/flows/{flow}/runs 503",
                "POST /api/queues/{name}/seek 503",
                "POST /api/connections/{name}/test 503",
                "POST /api/jobs 503",
                "POST /api/once 503");
        assertThat(outside.count.get()).as("what arrived outside: %s", answers).isEqualTo(before);
      }
    }
  }

  /** Leaves a store behind that is older than it was. */
  private void restoredFrom(Listener outside) throws IOException {
    int port = outside.port();
    try (var server = new TestServer(folder)) {
      server.put("/api/secrets/key", "{\"value\": \"wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY\"}");
      connect(
          server,
          "shop",
          "{\"http\": {\"base\": \"http://127.0.0.1:%d\", \"privateHosts\": [\"127.0.0.1\"]}}",
          port);
      connect(
          server,
          "queues",
          "{\"sqs\": {\"region\": \"r\", \"endpoint\": \"http://127.0.0.1:%d\", \"accessKey\": \"A\","
              + " \"secret\": \"key\", \"privateHosts\": [\"127.0.0.1\"]}}",
          port);
      server.release(FLOW);
      run = server.post("/api/flows/calls/runs", "{\"id\": \"first\"}").at("/id");
      effect = effectOnceThere(server);
      assertThat(server.post("/api/backups", "{\"name\": \"before.db\"}").status()).isEqualTo(201);
      server.put("/api/kv/later", "{\"value\": 1}");
    }
    for (String end : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(folder.resolve("hapax.db" + end));
    }
    Files.copy(folder.resolve("backups/before.db"), folder.resolve("hapax.db"));
  }

  /** Nothing answers, so it is in review. */
  private static String effectOnceThere(TestServer server) {
    JsonNode first;
    do {
      LockSupport.parkNanos(5_000_000);
      first = server.get("/api/effects?state=review").body().path("items").path(0);
    } while (first.isMissingNode());
    return first.path("id").asString();
  }

  private static void connect(TestServer server, String name, String json, int port) {
    var written = server.put("/api/connections/" + name, json.formatted(port));
    assertThat(written.status()).as(written.raw().body()).isEqualTo(200);
  }

  private List<String> askAll(TestServer server) {
    Map<String, String> bodies = bodies();
    List<String> answers = new ArrayList<>();
    for (Route route : server.routes()) {
      String name = route.method() + " " + route.path();
      if (NOT_ASKED.contains(name) || name.contains("stream")) {
        continue;
      }
      String body = route.method() == Method.GET ? "" : bodies.getOrDefault(name, "{}");
      var request =
          server
              .request(path(route.path()))
              .method(route.method().name(), BodyPublishers.ofString(body));
      answers.add(name + " " + server.send(request).status());
    }
    return answers;
  }

  private String path(String template) {
    return template
        .replace("/queues/{name}", "/queues/calls")
        .replace("/connections/{name}", "/connections/shop")
        .replace("/schedules/{name}", "/schedules/often")
        .replace("{flow}", "calls")
        .replace("{release}", "1")
        .replace("/runs/{id}", "/runs/" + run)
        .replace("/effects/{id}", "/effects/" + effect)
        .replace("/reviews/{id}", "/reviews/" + effect)
        .replaceAll("\\{\\+?[^}]*\\}", "one");
  }

  /** Counts the connections that arrive, and answers none of them. */
  private static final class Listener implements AutoCloseable {
    private final ServerSocket socket;
    private final AtomicInteger count = new AtomicInteger();

    Listener() throws IOException {
      socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      Thread.ofVirtual().start(this::listen);
    }

    private void listen() {
      try {
        while (true) {
          try (Socket _ = socket.accept()) {
            count.incrementAndGet();
          }
        }
      } catch (IOException e) {
        // closed
      }
    }

    int port() {
      return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
