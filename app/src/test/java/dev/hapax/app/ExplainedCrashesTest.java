package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code hapax explain} of runs whose process was killed, and the alert about a quarantine. */
@Tag("crash")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExplainedCrashesTest {
  private static final String ALERTS =
      """
      alerts={"quarantined": [{"webhook": {"connection": "pager"}}], "window": "1s"}""";

  private static final String FLOW =
      """
      flow: %1$s
      key: ${input.id}
      steps:
        - id: send
          http: {connection: partner, method: POST, path: /orders, body: {id: "${input.id}"}}
          effect: {kind: create, key: "%1$s/${input.id}", guard: %1$s}
          timeout: 5m
      """;

  @TempDir private Path folder;
  private final BlockingQueue<String> alerts = new LinkedBlockingQueue<>();
  private final ExplainGolden golden = new ExplainGolden();

  @SuppressWarnings("NullAway.Init")
  private ServerProcess server;

  @Test
  void a_killed_process_is_the_reason_of_a_doubt_and_two_are_that_of_a_quarantine()
      throws Exception {
    server = start();
    HttpServer pager = pager();
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      connect("pager", webhook(pager.getAddress().getPort()));
      connect("partner", http(silent.getLocalPort()));
      server.release(server.token(), FLOW.formatted("none"));
      server.release(server.token(), FLOW.formatted("keyed"));
      String lost = begin("none");
      killInRequest(silent);
      awaitStatus(lost, "review");

      golden.explained(desk(), "process-died", lost);

      String poison = begin("keyed");
      killInRequest(silent);
      killInRequest(silent);
      awaitStatus(poison, "review");

      golden.explained(desk(), "quarantined", poison);
      assertThat(alerts.poll(60, TimeUnit.SECONDS))
          .contains("hapax.alert.quarantined", poison, "\"flow\":\"keyed\"");
      server.stop();
    } finally {
      server.close();
      pager.stop(0);
    }
  }

  private HttpServer pager() throws Exception {
    var pager = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    pager.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            alerts.add(new String(body, StandardCharsets.UTF_8));
          }
        });
    pager.start();
    return pager;
  }

  private ServerProcess start() throws Exception {
    return new ServerProcess(folder, List.of("-Xmx192m"), ALERTS);
  }

  private void connect(String name, String connection) throws Exception {
    ServerProcess.must(
        server.ask(
            server.token(),
            "PUT",
            "/api/secrets/signing",
            "{\"value\": \"whsec_MDEyMzQ1Njc4OWFiY2RlZg==\", \"hosts\": [\"127.0.0.1\"]}"));
    ServerProcess.must(server.ask(server.token(), "PUT", "/api/connections/" + name, connection));
  }

  private static String webhook(int port) {
    return "{\"webhook\": {\"url\": \"http://127.0.0.1:%d/\", \"secret\": \"signing\", \"privateHosts\": [\"127.0.0.1\"]}}"
        .formatted(port);
  }

  private static String http(int port) {
    return "{\"http\": {\"base\": \"http://127.0.0.1:%d\", \"privateHosts\": [\"127.0.0.1\"]}}"
        .formatted(port);
  }

  private String begin(String flow) throws Exception {
    String path = "/api/flows/" + flow + "/runs";
    return ServerProcess.must(server.ask(server.token(), "POST", path, "{\"id\": \"A-1\"}"))
        .at("/id");
  }

  /** Kills the server when the whole request has come, and starts it again. */
  private void killInRequest(ServerSocket silent) throws Exception {
    try (Socket request = silent.accept()) {
      assertThat(request.getInputStream().read()).isPositive();
      server.kill();
      server.close();
    }
    server = start();
  }

  private void awaitStatus(String run, String status) throws Exception {
    while (!server.get(server.token(), "/api/runs/" + run).at("/status").equals(status)) {
      LockSupport.parkNanos(10_000_000);
    }
  }

  private TypedDesk desk() {
    return new TypedDesk(folder, server.address(), server.token(), false);
  }
}
