package dev.hapax.flows.queue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import tools.jackson.databind.JsonNode;

/** An endpoint that answers as it is told to. Safe for many threads. */
final class SqsStandIn implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  // Guarded by this.
  private final Map<String, Reaction> reactions = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final List<String> signed = new ArrayList<>();

  /** Writes an answer. */
  @FunctionalInterface
  interface Reaction {
    void to(JsonNode request, HttpExchange exchange) throws IOException;
  }

  SqsStandIn() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
    on("GetQueueUrl", 200, "{\"QueueUrl\": \"http://elsewhere.example/1/orders\"}");
    on("GetQueueAttributes", 200, "{\"Attributes\": {\"VisibilityTimeout\": \"30\"}}");
    on("ReceiveMessage", 200, "{}");
    on("ChangeMessageVisibilityBatch", 200, "{}");
    on("DeleteMessageBatch", (request, exchange) -> write(exchange, 200, allDone(request)));
  }

  private static String allDone(JsonNode request) {
    var done = new ArrayList<Map<String, String>>();
    request.path("Entries").forEach(one -> done.add(Map.of("Id", one.path("Id").asString())));
    return Json.write(Map.of("Successful", done));
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  synchronized void on(String action, Reaction reaction) {
    reactions.put(action, reaction);
  }

  void on(String action, int status, String body) {
    on(action, (_, exchange) -> write(exchange, status, body));
  }

  /** Answers with this once, and with no messages afterwards. */
  void once(String messages) {
    on(
        "ReceiveMessage",
        (_, exchange) -> {
          on("ReceiveMessage", 200, "{}");
          write(exchange, 200, "{\"Messages\": [%s]}".formatted(messages));
        });
  }

  static String message(String id, String body) {
    return "{\"MessageId\": \"%1$s\", \"ReceiptHandle\": \"r-%1$s\", \"Body\": \"%2$s\", \"Attributes\": {\"ApproximateReceiveCount\": \"1\"}}"
        .formatted(id, body);
  }

  static void write(HttpExchange exchange, int status, String body) {
    try {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String action =
          exchange.getRequestHeaders().getFirst("X-Amz-Target").substring("AmazonSQS.".length());
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Reaction reaction;
      synchronized (this) {
        asked.add(action + " " + body);
        signed.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        reaction = Objects.requireNonNull(reactions.get(action), action);
      }
      reaction.to(Json.tree(body), exchange);
    }
  }

  /** Returns the requests of an action. */
  synchronized List<String> asked(String action) {
    return asked.stream().filter(one -> one.startsWith(action + " ")).toList();
  }

  /** Returns the headers that proved the sender. */
  synchronized List<String> signed() {
    return List.copyOf(signed);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
