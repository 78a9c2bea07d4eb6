package dev.hapax.app.attack;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Orders at a steady pace, a shop that charges them, and what both have seen. */
final class HonestTraffic implements AutoCloseable {
  private static final int CALLERS = 4;

  /** Of each caller: a late answer does not make it faster afterwards. */
  private static final Duration PAUSE = Duration.ofMillis(50);

  private static final String FLOW =
      """
      flow: order
      key: ${input.id}
      steps:
        - id: charge
          http: {connection: shop, method: POST, path: /charges, body: {id: "${input.id}"}}
          effect: {kind: create, key: "${input.id}", guard: keyed}
      """;

  private final ServerProcess server;
  private final HttpServer shop;
  private final AtomicInteger next = new AtomicInteger();
  private final Map<String, AtomicInteger> charges = new ConcurrentHashMap<>();
  private final Queue<String> problems = new ConcurrentLinkedQueue<>();

  HonestTraffic(ServerProcess server) throws Exception {
    this.server = server;
    this.shop = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
    shop.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    shop.createContext("/charges", this::charge);
    shop.start();
    String base = "http://127.0.0.1:" + shop.getAddress().getPort();
    var connection = Map.of("http", Map.of("base", base, "privateHosts", List.of("127.0.0.1")));
    ServerProcess.must(
        server.ask(server.token(), "PUT", "/api/connections/shop", Json.write(connection)));
    server.release(server.token(), FLOW);
  }

  private void charge(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String id = Json.tree(body).at("/id").asString();
      charges.computeIfAbsent(id, _ -> new AtomicInteger()).incrementAndGet();
      byte[] answer = Json.write(Map.of("charge", id)).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  /** Orders for this long, and returns how long each order took in milliseconds, in order. */
  List<Double> order(Duration time) throws InterruptedException {
    var took = new ConcurrentLinkedQueue<Double>();
    long end = System.nanoTime() + time.toNanos();
    var callers = new ArrayList<Thread>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (System.nanoTime() < end) {
                      took.add(orderOnce());
                      LockSupport.parkNanos(PAUSE.toNanos());
                    }
                  }));
    }
    for (Thread caller : callers) {
      caller.join();
    }
    return took.stream().sorted().toList();
  }

  private double orderOnce() {
    String id = "order-" + next.incrementAndGet();
    long from = System.nanoTime();
    try {
      var reply =
          server.ask(
              server.token(),
              "POST",
              "/api/flows/order/runs",
              Json.write(Map.of("id", id)),
              "Prefer",
              "wait=30");
      if (!reply.at("/status").equals("succeeded")) {
        problems.add(id + ": " + reply);
      }
    } catch (Exception e) {
      problems.add(id + ": " + e);
    }
    return (System.nanoTime() - from) / 1e6;
  }

  int orders() {
    return next.get();
  }

  /** Orders that were not carried out exactly once, and answers that an honest caller misses. */
  List<String> problems() {
    var all = new ArrayList<String>(problems);
    for (int i = 1; i <= next.get(); i++) {
      AtomicInteger count = charges.get("order-" + i);
      if (count == null || count.get() != 1) {
        all.add("order-%d was charged %s times".formatted(i, count));
      }
    }
    return all;
  }

  @Override
  public void close() {
    shop.stop(0);
  }
}
