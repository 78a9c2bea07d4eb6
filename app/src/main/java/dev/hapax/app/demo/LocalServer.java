package dev.hapax.app.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** An HTTP server on 127.0.0.1 and a free port, with a virtual thread per request. */
final class LocalServer implements AutoCloseable {
  /**
   * All orders of a burst connect at once; the usual backlog of 50 would make some wait for a
   * resent SYN.
   */
  private static final int BACKLOG = 1024;

  private final HttpServer server;

  LocalServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
  }

  /** A request. */
  record Request(
      String method, String path, String query, @Nullable String idempotencyKey, String body) {}

  /** An answer, as JSON. */
  record Reply(int status, String body) {}

  /**
   * Answers one request; null closes the connection without an answer, and so does an exception.
   */
  @FunctionalInterface
  interface Handler {
    @Nullable Reply answer(Request request) throws Exception;
  }

  LocalServer on(String path, Handler handler) {
    server.createContext(path, exchange -> serve(exchange, handler));
    return this;
  }

  LocalServer start() {
    server.start();
    return this;
  }

  URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private static void serve(HttpExchange exchange, Handler handler) throws IOException {
    try (exchange) {
      String query = exchange.getRequestURI().getQuery();
      var request =
          new Request(
              exchange.getRequestMethod(),
              exchange.getRequestURI().getPath(),
              query == null ? "" : query,
              exchange.getRequestHeaders().getFirst("Idempotency-Key"),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
      Reply reply = handler.answer(request);
      if (reply != null) {
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
