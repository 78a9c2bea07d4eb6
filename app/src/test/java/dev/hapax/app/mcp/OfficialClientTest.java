package dev.hapax.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.Main;
import dev.hapax.app.PublicTools;
import dev.hapax.app.ServerCalls;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The official clients of both revisions, over both transports, also when the server is killed. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
@Tag("crash")
class OfficialClientTest {
  private static final String FLOW =
      """
      flow: charge
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      expose: mcp
      steps:
        - id: think
          wait: {for: 3s}
        - id: send
          http: {connection: psp, method: POST, path: /charges, body: {id: "${input.id}"}}
          effect: {kind: create, key: "${input.id}", guard: keyed, externalId: "${output.body.id}"}
      output: {charge: "${steps.send.output.body.id}"}
      """;

  private static final String UNKEYED =
      """
      flow: remind
      input: {type: object, required: [text], properties: {text: {type: string}}}
      expose: mcp
      steps:
        - id: send
          http: {connection: psp, method: POST, path: /reminders, body: {text: "${input.text}"}}
          effect: {kind: create, key: "${run.id}", guard: keyed, externalId: "${output.body.id}"}
      output: {charge: "${steps.send.output.body.id}"}
      """;
  private static final String ONCE =
      """
      {"effect": {"name": "ship", "key": "A-1", "guard": "keyed"}, "connection": "psp",
       "http": {"method": "POST", "path": "/ships", "body": {"id": "A-1"}}}
      """;

  @TempDir Path folder;
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final Set<String> keys = ConcurrentHashMap.newKeySet();

  /** Whether the answer to the next request is held until the end of the test. */
  private final AtomicBoolean holds = new AtomicBoolean();

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);
  private HttpServer psp;
  private int port;
  private ServerProcess server;

  @BeforeEach
  void serve() throws Exception {
    psp = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 300);
    psp.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    psp.createContext(
        "/",
        exchange -> {
          try (exchange) {
            sent.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            if (holds.compareAndSet(true, false)) {
              arrived.countDown();
              open.await();
            }
            byte[] answer = "{\"id\": \"ch_1\"}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    psp.start();
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    server = started();
    String connection =
        "{\"http\": {\"base\": \"http://127.0.0.1:%d\", \"privateHosts\": [\"127.0.0.1\"]}}"
            .formatted(psp.getAddress().getPort());
    ServerCalls.must(server.ask(server.token(), "PUT", "/api/connections/psp", connection));
    server.release(server.token(), FLOW);
    server.release(server.token(), UNKEYED);
  }

  private ServerProcess started() throws Exception {
    return new ServerProcess(folder, List.of("-XX:TieredStopAtLevel=1"), "http.port=" + port);
  }

  @AfterEach
  void stop() {
    open.countDown();
    server.close();
    psp.stop(0);
  }

  private Map<String, Object> plan(String client, String transport) {
    Map<String, Object> plan = new LinkedHashMap<>();
    plan.put("client", client);
    if (transport.equals("http")) {
      plan.put("url", server.address() + "/mcp");
      plan.put("token", server.token());
    } else {
      plan.put("command", ProcessHandle.current().info().command().orElseThrow());
      plan.put(
          "args",
          List.of(
              "-XX:TieredStopAtLevel=1",
              "-cp",
              System.getProperty("java.class.path"),
              Main.class.getName(),
              "mcp"));
      plan.put(
          "env", Map.of("HAPAX_URL", server.address().toString(), "HAPAX_TOKEN", server.token()));
    }
    return plan;
  }

  private static Map<String, Object> call(String id, int times, int tries) {
    return Map.of("name", "charge", "arguments", Map.of("id", id), "times", times, "tries", tries);
  }

  @ParameterizedTest
  @CsvSource({"2026, http", "2026, stdio", "2025, http", "2025, stdio"})
  void a_call_that_is_repeated_also_at_once_runs_once(String client, String transport)
      throws Exception {
    Map<String, Object> plan = plan(client, transport);
    plan.put("calls", List.of(call("A-1", 10, 1), call("A-1", 1, 1)));

    PublicTools.Said said =
        PublicTools.agent(PublicTools.agentCommand("agent.js", Json.write(plan)));

    JsonNode got = answer(said.out());
    assertThat(got.path("tools"))
        .anyMatch(tool -> tool.path("name").asString("").equals("charge"))
        .anyMatch(tool -> tool.path("name").asString("").equals("run_status"));
    assertThat(got.path("results").get(0)).hasSize(10);
    for (JsonNode results : got.path("results")) {
      for (JsonNode result : results) {
        assertThat(result.at("/structuredContent/output/charge").asString(""))
            .as(result.toString())
            .isEqualTo("ch_1");
      }
    }
    assertThat(sent).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"2026, http", "2026, stdio", "2025, http", "2025, stdio"})
  void a_key_that_the_client_gives_is_one_effect(String client, String transport) throws Exception {
    Map<String, Object> plan = plan(client, transport);
    var reminder = Map.of("text", "pay A-1", "idempotencyKey", "reminder-A-1");
    var calls = new ArrayList<Map<String, Object>>();
    for (int times : List.of(5, 1)) {
      calls.add(Map.of("name", "remind", "arguments", reminder, "times", times));
      calls.add(Map.of("name", "once", "arguments", Json.tree(ONCE), "times", times));
    }
    plan.put("calls", calls);

    PublicTools.Said said =
        PublicTools.agent(PublicTools.agentCommand("agent.js", Json.write(plan)));

    JsonNode got = answer(said.out());
    for (JsonNode results : got.path("results")) {
      for (JsonNode result : results) {
        assertThat(result.at("/structuredContent/status").asString(""))
            .as(result.toString())
            .isEqualTo("succeeded");
      }
    }
    for (int repeated : List.of(2, 3)) {
      JsonNode result = got.path("results").get(repeated).get(0);
      assertThat(result.at("/structuredContent/duplicate").asBoolean())
          .as(result.toString())
          .isTrue();
    }
    assertThat(sent).hasSize(2).anyMatch(body -> body.contains("pay A-1"));
    assertThat(keys).as("one of the reminder, one of the shipment").hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"2026, http", "2026, stdio", "2025, http", "2025, stdio"})
  void a_call_whose_server_is_killed_runs_once(String client, String transport) throws Exception {
    killed(
        client,
        transport,
        agent -> {
          while (server
              .get(server.token(), "/api/runs?flow=charge")
              .json()
              .path("items")
              .isEmpty()) {
            assertThat(agent.isAlive()).as("the agent ended early").isTrue();
          }
        });

    assertThat(sent).hasSize(1);
  }

  /** The payment service has charged and holds its answer; it knows the key that comes again. */
  @ParameterizedTest
  @CsvSource({"2026, http", "2026, stdio", "2025, http", "2025, stdio"})
  void a_call_whose_server_is_killed_with_the_effect_in_flight_charges_once(
      String client, String transport) throws Exception {
    holds.set(true);

    killed(client, transport, _ -> arrived.await());

    assertThat(sent).hasSizeBetween(1, 2);
    assertThat(keys).hasSize(1);
  }

  /** When the server dies. */
  private interface Moment {
    void await(Process agent) throws Exception;
  }

  private void killed(String client, String transport, Moment moment) throws Exception {
    Map<String, Object> plan = plan(client, transport);
    plan.put("calls", List.of(call("A-2", 5, transport.equals("http") ? 200 : 1)));
    Path out = folder.resolve("agent.out");
    Process agent =
        new ProcessBuilder(PublicTools.agentCommand("agent.js", Json.write(plan)))
            .redirectError(folder.resolve("agent.err").toFile())
            .redirectOutput(out.toFile())
            .start();
    try {
      moment.await(agent);
      server.kill();
      server.close();
      server = started();

      assertThat(agent.waitFor(120, TimeUnit.SECONDS)).isTrue();
    } finally {
      agent.destroyForcibly();
    }
    for (JsonNode result : answer(Files.readString(out)).path("results").get(0)) {
      assertThat(result.at("/structuredContent/output/charge").asString(""))
          .as(result.toString())
          .isEqualTo("ch_1");
    }
    assertThat(server.get(server.token(), "/api/runs?flow=charge").json().path("items")).hasSize(1);
  }

  private static JsonNode answer(String out) throws IOException {
    return out.lines()
        .filter(line -> line.startsWith("{\""))
        .findFirst()
        .map(Json::tree)
        .orElseThrow(() -> new AssertionError(out));
  }
}
