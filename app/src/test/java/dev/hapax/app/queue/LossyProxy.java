package dev.hapax.app.queue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Passes requests to an SQS server. On demand it loses those that delete messages. */
final class LossyProxy implements AutoCloseable {
  private final URI to;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private volatile boolean loses;

  LossyProxy(URI to) throws IOException {
    this.to = to;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::pass);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  void loses(boolean now) {
    loses = now;
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (loses && target.contains("Delete")) {
        exchange.sendResponseHeaders(503, -1);
        return;
      }
      var answer =
          client.send(
              HttpRequest.newBuilder(to.resolve("/"))
                  .header("Content-Type", "application/x-amz-json-1.0")
                  .header("X-Amz-Target", target)
                  .POST(BodyPublishers.ofByteArray(body))
                  .build(),
              BodyHandlers.ofByteArray());
      exchange.sendResponseHeaders(
          answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
      exchange.getResponseBody().write(answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    client.shutdownNow();
  }
}
