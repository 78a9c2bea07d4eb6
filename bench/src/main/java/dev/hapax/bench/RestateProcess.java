package dev.hapax.bench;

import dev.hapax.bench.OrderFlow.Order;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A Restate server with its own defaults, and the service that it calls, as two processes. */
final class RestateProcess implements AutoCloseable {
  private static final String PROGRAM = "restate-server";
  private static final int PATIENCE_SECONDS = 60;

  private final Child server;
  private final Child service;
  private final HttpConnections connections;

  private RestateProcess(Child server, Child service, URI ingress) {
    this.server = server;
    this.service = service;
    this.connections = new HttpConnections(ingress);
  }

  /** Returns its location: named by RESTATE_SERVER, installed below bench, or on the path. */
  static Optional<Path> installed() {
    String named = System.getenv("RESTATE_SERVER");
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(
            Stream.concat(
                Optional.ofNullable(named).map(Path::of).stream(),
                Stream.of(Workspace.module().resolve("node_modules/.bin").resolve(PROGRAM))),
            Stream.of(path.split(":", -1)).map(folder -> Path.of(folder, PROGRAM)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static String version(Path program) throws IOException {
    var process = new ProcessBuilder(program.toString(), "--version").start();
    try (var said = process.inputReader()) {
      return String.valueOf(said.readLine());
    }
  }

  static RestateProcess start(Path program, Path data, URI shop) throws Exception {
    int[] ports = freePorts();
    var process = new ProcessBuilder(program.toString(), "--no-logo");
    process
        .environment()
        .putAll(
            Map.of(
                "RESTATE_BASE_DIR", Files.createDirectories(data).toString(),
                "RESTATE_LISTEN_MODE", "tcp",
                "RESTATE_BIND_IP", "127.0.0.1",
                "RESTATE_ADVERTISED_HOST", "127.0.0.1",
                "RESTATE_BIND_PORT", "" + ports[0],
                "RESTATE_ADMIN__BIND_PORT", "" + ports[1],
                "RESTATE_INGRESS__BIND_PORT", "" + ports[2],
                "RESTATE_LOG_FILTER", "warn",
                "RESTATE_DISABLE_TELEMETRY", "true",
                "DO_NOT_TRACK", "1"));
    process.redirectOutput(data.resolve("log").toFile());
    Child server = Child.started("restate", process);
    Child service =
        Child.start(
            "the service of restate", List.of(RestateService.class.getName(), shop.toString()));
    String port = service.line();
    register(URI.create("http://127.0.0.1:" + ports[1]), "http://127.0.0.1:" + port);
    return new RestateProcess(server, service, URI.create("http://127.0.0.1:" + ports[2]));
  }

  /** Registers the service once the server is up. */
  private static void register(URI admin, String service) throws Exception {
    for (int second = 0; ; second++) {
      try (var connections = new HttpConnections(admin)) {
        HttpConnections.Reply reply =
            connections.send(
                "POST",
                "/deployments",
                Map.of("Content-Type", "application/json"),
                "{\"uri\": \"%s\"}".formatted(service));
        if (reply.status() < 300) {
          return;
        }
        if (second == PATIENCE_SECONDS) {
          throw new IllegalStateException("restate does not take the service: " + reply);
        }
      } catch (IOException e) {
        if (second == PATIENCE_SECONDS) {
          throw e;
        }
      }
      Thread.sleep(1_000);
    }
  }

  private static int[] freePorts() throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  /** The order's id is the idempotency key: the second call of an order gets the first answer. */
  void run(Order order) throws IOException {
    run(RestateService.HANDLER, order);
  }

  /** As above, with HTTP steps. */
  void runOverHttp(Order order) throws IOException {
    run(RestateService.HTTP_HANDLER, order);
  }

  private void run(String handler, Order order) throws IOException {
    HttpConnections.Reply reply =
        connections.send(
            "POST",
            "/%s/%s".formatted(RestateService.NAME, handler),
            Map.of("Content-Type", "application/json", "idempotency-key", order.id()),
            "{\"id\":\"%s\",\"amount\":%d}".formatted(order.id(), order.amount()));
    if (reply.status() != 200 || !reply.body().contains("\"succeeded\"")) {
      throw new IllegalStateException("restate says " + reply);
    }
  }

  /** Returns the processes of the server and of the service. */
  List<Long> pids() {
    return List.of(server.pid(), service.pid());
  }

  @Override
  public void close() throws IOException {
    connections.close();
    service.close();
    server.close();
  }
}
