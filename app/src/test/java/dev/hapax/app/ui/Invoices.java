package dev.hapax.app.ui;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.TestServer;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A destination that keeps invoices by their order, and can be asked for one. */
final class Invoices implements AutoCloseable {
  private static final String BILL =
      """
      flow: bill
      key: ${input.id}
      steps:
        - id: invoice
          http: {connection: books, method: POST, path: /invoices, body: {order: "${input.id}", cents: 900}}
          effect:
            kind: create
            key: ${input.id}
            guard:
              lookup:
                http: {connection: books, path: "/invoices/${effect.key}"}
                found: ${response.status == 200}
                output: ${response.body}
                settle: 100ms
            externalId: ${output.body.id}
            reconcile: {rate: 100, fields: {cents: "${item.cents == effect.output.body.cents}"}}
          timeout: 1s
          retry: {attempts: 20, delay: 50ms, maxDelay: 50ms, within: 1s}
      output: {id: "${steps.invoice.output.body.id}"}
      """;

  final Map<String, Map<String, Object>> kept = new ConcurrentHashMap<>();
  private final AtomicInteger made = new AtomicInteger();
  private final HttpServer http;

  Invoices() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.createContext("/", this::answer);
    http.start();
  }

  /** Makes the flow that sends invoices here, and lets it send some. */
  void into(TestServer server, int count) {
    String base = "http://127.0.0.1:" + http.getAddress().getPort();
    server.put(
        "/api/connections/books",
        Json.write(
            Map.of("http", Map.of("base", base, "privateHosts", new String[] {"127.0.0.1"}))));
    server.release(BILL);
    for (int i = 1; i <= count; i++) {
      server.post("/api/flows/bill/runs", "{\"id\": \"B-%d\"}".formatted(i), "Prefer", "wait=20");
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (exchange.getRequestMethod().equals("GET")) {
        String path = exchange.getRequestURI().getPath();
        Map<String, Object> found = kept.get(path.substring(path.lastIndexOf('/') + 1));
        send(exchange, found == null ? 404 : 200, found == null ? Map.of() : found);
        return;
      }
      String order =
          Json.tree(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
              .path("order")
              .asString();
      Map<String, Object> one =
          Map.of("id", "in_" + made.incrementAndGet(), "order", order, "cents", 900);
      kept.put(order, one);
      send(exchange, 201, one);
    }
  }

  private static void send(HttpExchange exchange, int status, Object body) throws IOException {
    byte[] bytes = Json.write(body).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
