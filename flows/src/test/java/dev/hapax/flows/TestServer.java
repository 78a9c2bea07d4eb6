package dev.hapax.flows;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.flows.connection.Connection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A real HTTP server on 127.0.0.1 that answers as the test says, and remembers what came. */
final class TestServer implements AutoCloseable {
  private final HttpServer server;
  private final List<Request> requests = new ArrayList<>();

  record Request(String method, String target, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  record Answer(int status, Map<String, String> headers, String body) {
    static Answer json(int status, String body) {
      return new Answer(status, Map.of("Content-Type", "application/json"), body);
    }
  }

  /** Null closes the connection without an answer. */
  interface Answering {
    @Nullable Answer answer(Request request) throws Exception;
  }

  TestServer(Answering answering) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", exchange -> handle(exchange, answering));
    server.start();
  }

  private void handle(HttpExchange exchange, Answering answering) throws IOException {
    var headers = new java.util.HashMap<String, String>();
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) ->
                headers.put(name.toLowerCase(java.util.Locale.ROOT), values.getFirst()));
    var request =
        new Request(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            headers,
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    synchronized (requests) {
      requests.add(request);
    }
    Answer answer;
    try {
      answer = answering.answer(request);
    } catch (Exception e) {
      answer = Answer.json(500, "{}");
    }
    if (answer == null) {
      exchange.close();
      return;
    }
    answer.headers().forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  int port() {
    return server.getAddress().getPort();
  }

  String base() {
    return "http://127.0.0.1:" + port();
  }

  Connection.Http connection(String name) {
    return Connection.Http.of(name, base()).privateHosts("127.0.0.1");
  }

  List<Request> requests() {
    synchronized (requests) {
      return List.copyOf(requests);
    }
  }

  List<Request> requests(String method) {
    return requests().stream().filter(request -> request.method().equals(method)).toList();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
