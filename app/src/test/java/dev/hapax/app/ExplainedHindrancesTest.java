package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import dev.hapax.flow.RunWait;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code hapax explain} of runs that something outside of their flow holds back. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExplainedHindrancesTest {
  @TempDir private Path folder;
  private TestServer server;
  private TypedDesk desk;
  private final ExplainGolden golden = new ExplainGolden();

  @BeforeEach
  void serve() throws IOException {
    server = new TestServer(folder.resolve("data"));
    desk = new TypedDesk(folder, server, false);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String start(String flow, String id) {
    Reply reply = server.post("/api/flows/" + flow + "/runs", "{\"id\": \"" + id + "\"}");
    assertThat(reply.status()).as("%s", reply.body()).isLessThan(300);
    return reply.at("/id");
  }

  /** Until the run has left memory, too: before that its status is {@code running}. */
  private void awaitWait(String run, String cause) {
    await(
        () ->
            server
                .get("/api/runs/" + run + "/waits")
                .body()
                .toString()
                .contains("\"cause\":\"" + cause + "\""));
    await(() -> !server.get("/api/runs/" + run).at("/status").equals("running"));
  }

  /** Asks the server again until it is so. */
  private static void await(BooleanSupplier happened) {
    while (!happened.getAsBoolean()) {
      LockSupport.parkNanos(5_000_000);
    }
  }

  /** A flow that sends to this port, and its connection. */
  private void sendsTo(int port, String limits) {
    Reply connected =
        server.put(
            "/api/connections/partner",
            "{\"http\": {\"base\": \"http://127.0.0.1:%d\", \"privateHosts\": [\"127.0.0.1\"]%s}}"
                .formatted(port, limits));
    assertThat(connected.status()).as("%s", connected.body()).isEqualTo(200);
    server.release(
        """
        flow: sends
        key: ${input.id}
        steps:
          - id: send
            http: {connection: partner, method: POST, path: /orders, body: {id: "${input.id}"}}
            effect: {kind: create, key: "${input.id}", guard: keyed}
            timeout: 5m
            retry: {attempts: 5, delay: 1h, maxDelay: 1h, within: 20h}
        """);
  }

  @Test
  void a_run_that_meets_an_open_circuit_breaker_says_so() throws IOException {
    int port;
    try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    sendsTo(port, ", \"limits\": {\"breaker\": {\"failures\": 1, \"pause\": \"1h\"}}");
    awaitWait(start("sends", "A-1"), "retry");
    String second = start("sends", "A-2");
    awaitWait(second, "turn");

    golden.explained(desk, "breaker-open", second);
  }

  @Test
  void a_run_beyond_the_quota_of_its_tenant_says_so() throws IOException {
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      sendsTo(silent.getLocalPort(), "");
      server.put("/api/tenants/default/quotas", "{\"runsInMemory\": 1}");
      start("sends", "A-1");
      try (Socket held = silent.accept()) {
        assertThat(held.isConnected()).isTrue();
        String second = start("sends", "A-2");
        awaitWait(second, "quota");

        golden.explained(desk, "quota", second);
      }
    }
  }

  @Test
  void a_run_of_a_suspended_tenant_says_so() throws IOException {
    server.post("/api/tenants", "{\"name\": \"acme\"}");
    as(
        "PUT",
        "/api/flows/ask/draft",
        TestFlows.ALL.stream()
            .filter(flow -> flow.startsWith("flow: ask\n"))
            .findFirst()
            .orElseThrow());
    as("POST", "/api/flows/ask/releases", "{}");
    as("PUT", "/api/flows/ask/live", "{\"release\": 1}");
    String run = as("POST", "/api/flows/ask/runs", "{\"id\": \"A-1\"}").at("/id");
    await(() -> !server.waitsOf("acme", run).isEmpty());
    server.post("/api/tenants/acme/suspend", "{\"reason\": \"unpaid\"}");

    List<RunWait> waits = server.waitsOf("acme", run);

    golden.compare(
        "suspended",
        waits.stream()
            .map(wait -> "It %s.\n".formatted(wait.message()))
            .collect(Collectors.joining()));
    assertThat(as("GET", "/api/runs/" + run, "").status()).isEqualTo(403);
  }

  private Reply as(String method, String path, String body) {
    var request =
        server
            .request(path)
            .setHeader("Authorization", "Bearer " + server.tokenOf("acme"))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    return server.send(
        path.endsWith("/draft") ? request.setHeader("Content-Type", "application/yaml") : request);
  }

  @Test
  void a_create_that_a_rework_has_changed_asks_a_person_to_keep_it_or_not() throws IOException {
    server.release(
        """
        flow: invoice
        key: ${input.id}
        steps:
          - id: make
            call: {handler: charge, input: "${input.id} round ${run.round}"}
            effect: {kind: create, key: "${input.id}", guard: keyed, onRework: review}
          - id: release
            approval: {ask: "Send it?", rework: make, expires: 1d}
        """);
    String run = start("invoice", "A-1");
    awaitWait(run, "approval");
    String approval = server.get("/api/runs/" + run + "/waits").at("/items/0/approval");
    TypedDesk.Seen sentBack = desk.hapax("approvals", "rework", approval, "--comment", "too long");
    assertThat(sentBack.exit()).as(sentBack.text()).isZero();
    awaitWait(run, "review");

    golden.explained(desk, "rework-review", run);

    assertThat(desk.hapax("runs", "show", run, "--wait=0").exit()).isEqualTo(6);
  }
}
