package dev.hapax.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** A destination that keeps invoices, and that breaks on request. */
final class Books implements AutoCloseable {
  final List<Map<String, Object>> invoices = new CopyOnWriteArrayList<>();

  /** Method and path of every request. */
  final List<String> asked = new CopyOnWriteArrayList<>();

  /** The status that lookups of an order get instead of an answer. */
  final ConcurrentMap<String, Integer> broken = new ConcurrentHashMap<>();

  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final AtomicInteger ids = new AtomicInteger();

  /** The order whose answer is lost. */
  volatile String lost = "";

  volatile boolean down;
  private final HttpServer server;

  Books() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  String connection() {
    return "{\"http\": {\"base\": \"http://127.0.0.1:%d\", \"privateHosts\": [\"127.0.0.1\"]}}"
        .formatted(server.getAddress().getPort());
  }

  /** The bodies that were posted to this path. */
  List<String> sent(String path) {
    return sent.stream().filter(one -> one.startsWith(path + " ")).toList();
  }

  boolean has(String order) {
    return invoices.stream().anyMatch(invoice -> order.equals(invoice.get("order")));
  }

  Map<String, Object> remove(String order) {
    Map<String, Object> gone =
        invoices.stream()
            .filter(invoice -> order.equals(invoice.get("order")))
            .findFirst()
            .orElseThrow();
    invoices.remove(gone);
    return gone;
  }

  void change(String order, String member, Object value) {
    invoices.stream()
        .filter(invoice -> order.equals(invoice.get("order")))
        .forEach(invoice -> invoice.put(member, value));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      asked.add(exchange.getRequestMethod() + " " + path);
      if (down) {
        send(exchange, 503, Map.of());
      } else if (exchange.getRequestMethod().equals("GET")) {
        find(exchange, path);
      } else {
        post(exchange, path);
      }
    }
  }

  private void find(HttpExchange exchange, String path) throws IOException {
    if (path.equals("/invoices")) {
      send(exchange, 200, invoices);
      return;
    }
    String order = path.substring("/invoices/".length());
    Integer instead = broken.get(order);
    if (instead == null && !sent.isEmpty()) {
      instead = broken.get("lookups after a post");
    }
    Object found =
        invoices.stream()
            .filter(invoice -> order.equals(invoice.get("order")))
            .findFirst()
            .orElse(null);
    if (instead != null) {
      send(exchange, instead, Map.of("error", "broken"));
    } else if (found == null) {
      send(exchange, 404, Map.of());
    } else {
      send(exchange, 200, found);
    }
  }

  private void post(HttpExchange exchange, String path) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    sent.add(path + " " + body);
    JsonNode wanted = Json.tree(body);
    if (!path.equals("/invoices")) {
      send(exchange, 201, Map.of());
      return;
    }
    String order = wanted.path("order").asString();
    Map<String, Object> made =
        new LinkedHashMap<>(
            Map.of("order", order, "id", "in_" + ids.incrementAndGet(), "cents", 900));
    invoices.add(made);
    if (!order.equals(lost)) {
      send(exchange, 201, made);
    }
  }

  private static void send(HttpExchange exchange, int status, Object body) throws IOException {
    byte[] bytes = Json.write(body).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
