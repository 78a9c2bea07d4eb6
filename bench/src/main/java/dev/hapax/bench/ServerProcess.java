package dev.hapax.bench;

import dev.hapax.app.HapaxServer;
import dev.hapax.app.config.SettingsReader;
import dev.hapax.bench.OrderFlow.Order;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Hapax's server in its own process, with the flows of the loads live. */
final class ServerProcess implements AutoCloseable {
  private static final String DELIVERY =
      """
      flow: delivery
      triggers:
        - webhook:
            path: shop/orders
            verify: {scheme: hmac, secret: shop-signing, header: X-Shop-Signature}
            event: ${event.body.id}
      steps:
        - id: receipt
          call: {handler: pay, input: "${input}", pure: true}
      """;
  private static final String SECRET = "a-secret-of-the-benchmarks";
  private static final String ORDER = "order";
  private static final String HTTP_ORDER = "order-http";

  private final Child process;
  private final HttpConnections connections;
  private final Map<String, String> headers;

  private ServerProcess(Child process, URI address, String token) {
    this.process = process;
    this.connections = new HttpConnections(address);
    this.headers =
        Map.of(
            "Authorization", "Bearer " + token,
            "Content-Type", "application/json",
            "Prefer", "wait=60");
  }

  static ServerProcess start(Path data) throws IOException {
    ServerProcess server = startBare(data, List.of());
    server.release(ORDER, OrderFlow.file(ORDER));
    must(
        server.connections.send(
            "PUT",
            "/api/secrets/shop-signing",
            server.headers,
            "{\"value\": \"%s\"}".formatted(SECRET)));
    server.release("delivery", DELIVERY);
    return server;
  }

  /**
   * Starts one without a flow.
   *
   * @param store the address of its database; none for a file in its folder
   */
  static ServerProcess startBare(Path data, List<String> store) throws IOException {
    List<String> command = new ArrayList<>(List.of(ServerProcess.class.getName(), data.toString()));
    command.addAll(store);
    Child process = Child.withProgram("server", command);
    URI address = URI.create(process.line());
    return new ServerProcess(
        process, address, Files.readString(data.resolve("admin.token")).strip());
  }

  /** Returns the CPU time of the process so far. */
  long cpuNanos() {
    return ProcessHandle.of(process.pid())
        .flatMap(one -> one.info().totalCpuDuration())
        .orElseThrow()
        .toNanos();
  }

  /** Calls the server and returns its answer. */
  String call(String method, String path, String body) throws IOException {
    return must(connections.send(method, path, headers, body));
  }

  /** Makes the flow of {@link #runOverHttp} live, with its connection to the shop. */
  void releaseHttp(URI shop) throws IOException {
    must(
        connections.send(
            "PUT",
            "/api/connections/shop",
            headers,
            "{\"http\": {\"base\": \"%s\", \"privateHosts\": [\"%s\"]}}"
                .formatted(shop, shop.getHost())));
    release(HTTP_ORDER, OrderFlow.httpFile(HTTP_ORDER, "shop"));
  }

  long pid() {
    return process.pid();
  }

  /** Makes a flow live. */
  void release(String flow, String text) throws IOException {
    Map<String, String> yaml = new HashMap<>(headers);
    yaml.put("Content-Type", "application/yaml");
    String path = "/api/flows/" + flow;
    must(connections.send("PUT", path + "/draft", yaml, text));
    must(connections.send("POST", path + "/releases", headers, "{}"));
    must(connections.send("PUT", path + "/live", headers, "{\"release\": 1}"));
  }

  private static String must(HttpConnections.Reply reply) {
    if (reply.status() >= 300) {
      throw new IllegalStateException("the server says " + reply);
    }
    return reply.body();
  }

  /** Starts a run and awaits its end. */
  void run(Order order) throws IOException {
    run(ORDER, order);
  }

  /** Starts a run of three HTTP steps and awaits its end. */
  void runOverHttp(Order order) throws IOException {
    run(HTTP_ORDER, order);
  }

  private void run(String flow, Order order) throws IOException {
    String run = must(start(flow, order));
    if (!run.contains("\"succeeded\"")) {
      throw new IllegalStateException("the run has not succeeded: " + run);
    }
  }

  /** Starts a run that has ended. */
  void startAgain(Order order) throws IOException {
    HttpConnections.Reply reply = start(ORDER, order);
    if (reply.status() != 200) {
      throw new IllegalStateException("a run that was started before, and now " + reply);
    }
  }

  private HttpConnections.Reply start(String flow, Order order) throws IOException {
    return connections.send("POST", "/api/flows/%s/runs".formatted(flow), headers, json(order));
  }

  /** Delivers an event; acknowledged when its run is durable. */
  void deliver(Order order) throws IOException {
    String body = json(order);
    must(
        connections.send(
            "POST",
            "/hooks/shop/orders",
            Map.of("Content-Type", "application/json", "X-Shop-Signature", signature(body)),
            body));
  }

  private static String signature(String body) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  static String json(Order order) {
    return "{\"id\":\"%s\",\"amount\":%d}".formatted(order.id(), order.amount());
  }

  @Override
  public void close() throws IOException {
    connections.close();
    process.close();
  }

  /** Runs the process. */
  public static void main(String[] args) throws Exception {
    var reader =
        new SettingsReader().flag("--data", "data", args[0]).flag("--port", "http.port", "0");
    var settings = (args.length > 1 ? reader.flag("--store", "store.url", args[1]) : reader).read();
    try (var server =
        HapaxServer.start(settings, files -> files.handler("pay", (input, _) -> pay(input)))) {
      System.out.println(server.address());
      System.in.transferTo(OutputStream.nullOutputStream()); // until the parent process is gone
    }
  }

  /** Answers at once, as the steps of the peers do. */
  static Object pay(@Nullable Object input) {
    if (input instanceof Map<?, ?> map
        && map.get("id") instanceof String id
        && map.get("amount") instanceof Number amount) {
      return OrderFlow.receipt(new Order(id, amount.longValue()));
    }
    throw new IllegalArgumentException("no order: " + input);
  }
}
