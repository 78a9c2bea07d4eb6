package dev.hapax.app.crash;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A receiver of alerts outside of the server, which survives it and can misbehave. */
final class AlertPager implements AutoCloseable {
  /** How it treats requests. */
  enum Mood {
    ACCEPTS,
    /** It takes the request and never answers. */
    SILENT,
    REFUSES
  }

  /** A request that has come. */
  record Heard(String id, JsonNode message, boolean isAccepted) {
    String type() {
      return message.path("type").asString("");
    }

    String flow() {
      return message.path("data").path("flow").asString("");
    }
  }

  private final HttpServer server =
      HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  private final List<Heard> all = new CopyOnWriteArrayList<>();
  private final LinkedBlockingQueue<Heard> unread = new LinkedBlockingQueue<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile Mood mood = Mood.ACCEPTS;

  AlertPager() throws IOException {
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::take);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  void mood(Mood next) {
    mood = next;
  }

  /** All that has come so far. */
  List<Heard> all() {
    return List.copyOf(all);
  }

  /** Returns the next request; null if none comes for a long time. */
  @Nullable Heard next() throws InterruptedException {
    return unread.poll(60, TimeUnit.SECONDS);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Mood now = mood;
      var heard =
          new Heard(
              String.valueOf(exchange.getRequestHeaders().getFirst("webhook-id")),
              Json.tree(body),
              now == Mood.ACCEPTS);
      if (now == Mood.ACCEPTS) {
        exchange.sendResponseHeaders(204, -1);
      } else if (now == Mood.REFUSES) {
        exchange.sendResponseHeaders(503, -1);
      }
      all.add(heard);
      unread.add(heard);
      if (now == Mood.SILENT) {
        over.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    over.countDown();
    server.stop(0);
  }
}
