package dev.hapax.app.ui;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The systems that a shop sends to, in one server: payments, warehouse, carrier and books. What one
 * of them does with an order can be set before.
 */
final class ShopOutside implements AutoCloseable {
  private static final Map<String, String> IDS =
      Map.of("charges", "ch_", "picks", "pk_", "parcels", "prc_", "invoices", "inv_");

  final Map<String, Map<String, Object>> invoices = new ConcurrentHashMap<>();
  private final Map<String, String> moods = new ConcurrentHashMap<>();
  private final AtomicInteger made = new AtomicInteger(40_000);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer http;
  private volatile boolean isSlow;

  ShopOutside() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    http.setExecutor(threads);
    http.createContext("/", this::answer);
    http.start();
  }

  String base() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** Sets what becomes of this thing of an order: refused, busy, lost or fine. */
  void mood(String thing, String order, String mood) {
    moods.put(thing + "/" + order, mood);
  }

  /** From now on each answer takes as long as such a system needs. */
  void isSlow() {
    isSlow = true;
  }

  private void answer(HttpExchange exchange) {
    if (isSlow) {
      int millis = 60 + Math.floorMod(exchange.getRequestURI().hashCode() + made.get() * 31, 240);
      CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, threads)
          .execute(() -> answerNow(exchange));
    } else {
      answerNow(exchange);
    }
  }

  private void answerNow(HttpExchange exchange) {
    try {
      tell(exchange);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tell(HttpExchange exchange) throws IOException {
    try (exchange) {
      String[] path = exchange.getRequestURI().getPath().substring(1).split("/", -1);
      if (exchange.getRequestMethod().equals("GET")) {
        Map<String, Object> found = invoices.get(path[path.length - 1]);
        send(exchange, found == null ? 404 : 200, found == null ? Map.of() : found);
        return;
      }
      String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String order = Json.tree(text.isEmpty() ? "{}" : text).path("order").asString("");
      switch (moods.getOrDefault(path[0] + "/" + order, "fine")) {
        case "refused" -> send(exchange, 422, Map.of("error", "the card was declined"));
        case "unknown" -> send(exchange, 404, Map.of("error", "no such article"));
        case "busy" -> send(exchange, 503, Map.of("error", "stocktaking until 6 pm"));
        case "lost" -> {} // the connection is closed without an answer
        default -> make(exchange, path[0], order);
      }
    }
  }

  private void make(HttpExchange exchange, String thing, String order) throws IOException {
    String id = IDS.getOrDefault(thing, thing + "_") + made.incrementAndGet();
    Map<String, Object> one = Map.of("id", id, "order", order, "cents", 4_900);
    if (thing.equals("invoices")) {
      invoices.put(order, one);
    }
    send(exchange, 201, one);
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
    threads.close();
  }
}
