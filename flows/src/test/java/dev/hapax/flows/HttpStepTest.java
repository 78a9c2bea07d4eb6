package dev.hapax.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hapax.RunFailed;
import dev.hapax.RunHandle;
import dev.hapax.flows.connection.Connection;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** HTTP steps against real servers on 127.0.0.1. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HttpStepTest {
  private static final String SECRET = "s3cr3t-canary-value";

  private static FlowFiles files(Connection... connections) {
    return FlowFiles.with(Ports.system())
        .connections(
            name ->
                java.util.Arrays.stream(connections)
                    .filter(connection -> connection.name().equals(name))
                    .findFirst())
        .secrets(name -> name.equals("token") ? Optional.of(SECRET) : Optional.empty())
        .open();
  }

  private static final String CREATE =
      """
      flow: create
      key: ${input.id}
      steps:
        - id: create
          http: {connection: shop, method: POST, path: /orders, query: {v: 2}, headers: {X-Id: "${input.id}"}, body: {id: "${input.id}"}}
          effect: {kind: create, key: "${input.id}", guard: %s, externalId: "${output.body.id}"}
      output: ["${steps.create.externalId}", "${steps.create.output.status}"]
      """;

  @Test
  void a_request_has_everything_that_the_file_says() throws Exception {
    try (var server = new TestServer(_ -> TestServer.Answer.json(201, "{\"id\":\"o-1\"}"));
        FlowFiles files =
            files(server.connection("shop").auth(new Connection.Auth.Bearer("token")))) {
      LoadedFlow flow = files.load("f.yaml", CREATE.formatted("keyed"), 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        assertThat(test.run(flow.flow(), Map.of("id", "A"))).isEqualTo(List.of("o-1", 201));

        TestServer.Request request = server.requests().getFirst();
        assertThat(request.target()).isEqualTo("/orders?v=2");
        assertThat(request.body()).isEqualTo("{\"id\":\"A\"}");
        assertThat(request.header("content-type")).isEqualTo("application/json");
        assertThat(request.header("x-id")).isEqualTo("A");
        assertThat(request.header("authorization")).isEqualTo("Bearer " + SECRET);
        assertThat(request.header("idempotency-key"))
            .isEqualTo(test.sent("create").getFirst().wireKey());
      }
    }
  }

  @Test
  void a_lost_answer_is_settled_by_the_same_key() throws Exception {
    var created = new ConcurrentHashMap<String, String>();
    var requests = new AtomicInteger();
    try (var server =
            new TestServer(
                request -> {
                  created.putIfAbsent(request.header("idempotency-key"), "o-" + created.size());
                  return requests.incrementAndGet() == 1
                      ? null
                      : TestServer.Answer.json(
                          201,
                          "{\"id\":\"" + created.get(request.header("idempotency-key")) + "\"}");
                });
        FlowFiles files = files(server.connection("shop"))) {
      LoadedFlow flow = files.load("f.yaml", CREATE.formatted("keyed"), 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        assertThat(test.run(flow.flow(), Map.of("id", "A"))).isEqualTo(List.of("o-0", 201));
        assertThat(created).hasSize(1);
        assertThat(requests.get()).isEqualTo(2);
      }
    }
  }

  @Test
  void a_lost_answer_is_settled_by_a_lookup() throws Exception {
    var orders = new ConcurrentHashMap<String, String>();
    try (var server =
            new TestServer(
                request -> {
                  if (request.method().equals("POST")) {
                    orders.put("A", "o-" + orders.size());
                    return null;
                  }
                  String found = orders.get("A");
                  return TestServer.Answer.json(
                      200, found == null ? "[]" : "[{\"id\":\"" + found + "\"}]");
                });
        FlowFiles files = files(server.connection("shop"))) {
      LoadedFlow flow =
          files.load(
              "f.yaml",
              CREATE.formatted(
                  "{lookup: {http: {connection: shop, path: \"/orders?id=${input.id}\"}, found: \"${size(response.body) > 0}\", output: \"${response.body[0]}\", settle: 1s}}"),
              1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        assertThat(test.run(flow.flow(), Map.of("id", "A"))).isEqualTo(List.of("o-0", 200));
        assertThat(server.requests("POST")).hasSize(1);
      }
    }
  }

  @Test
  void statuses_mean_what_the_design_says() throws Exception {
    var next = new AtomicInteger(429);
    try (var server =
            new TestServer(
                _ -> {
                  int status = next.getAndSet(200);
                  return new TestServer.Answer(
                      status, status == 429 ? Map.of("Retry-After", "7") : Map.of(), "");
                });
        FlowFiles files = files(server.connection("shop"))) {
      LoadedFlow flow =
          files.load("f.yaml", CREATE.formatted("none").replace("${output.body.id}", "x"), 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        RunHandle<Object> waits = test.start(flow.flow(), Map.of("id", "busy"));
        test.move(Duration.ofSeconds(6));
        assertThat(server.requests()).hasSize(1);
        test.move(Duration.ofSeconds(2));
        assertThat(waits.await()).isEqualTo(List.of("x", 200));

        next.set(404);
        assertThatThrownBy(() -> test.run(flow.flow(), Map.of("id", "gone")))
            .isInstanceOf(RunFailed.class)
            .hasMessageContaining("http-404");

        for (int ambiguous : List.of(302, 408, 409, 500, 503)) {
          next.set(ambiguous);
          RunHandle<Object> run = test.start(flow.flow(), Map.of("id", "s" + ambiguous));
          assertThat(test.hapax().run(run.id()).status().word())
              .as("status %d", ambiguous)
              .isEqualTo("review");
        }
      }
    }
  }

  @Test
  void other_meanings_can_be_declared() throws Exception {
    var next = new AtomicInteger(503);
    try (var server = new TestServer(_ -> TestServer.Answer.json(next.getAndSet(409), "{}"));
        FlowFiles files = files(server.connection("shop"))) {
      LoadedFlow flow =
          files.load(
              "f.yaml",
              CREATE
                  .formatted("none")
                  .replace("${output.body.id}", "x")
                  .replace("path: /orders", "path: /orders, notApplied: [503], alreadyDone: [409]"),
              1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        assertThat(test.run(flow.flow(), Map.of("id", "A"))).isEqualTo(List.of("x", 409));
        assertThat(server.requests()).hasSize(2);
      }
    }
  }

  @Test
  void reads_are_retried_and_a_4xx_is_final() throws Exception {
    var next = new AtomicInteger(503);
    try (var server =
            new TestServer(_ -> TestServer.Answer.json(next.getAndSet(200), "{\"v\":1.50}"));
        FlowFiles files = files(server.connection("shop"))) {
      LoadedFlow flow =
          files.load(
              "f.yaml",
              """
              flow: read
              key: ${input.id}
              steps:
                - id: fetch
                  http: {connection: shop, path: "/orders/${input.id}"}
              output: ${steps.fetch.output.body.v}
              """,
              1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        assertThat(test.run(flow.flow(), Map.of("id", "A"))).hasToString("1.50");
        next.set(404);
        assertThatThrownBy(() -> test.run(flow.flow(), Map.of("id", "B")))
            .isInstanceOf(RunFailed.class)
            .hasMessageContaining("http-404");
        assertThat(server.requests()).hasSize(3);
      }
    }
  }

  @Test
  void private_addresses_are_refused_unless_the_connection_names_them() throws Exception {
    try (var server = new TestServer(_ -> TestServer.Answer.json(200, "{}"));
        FlowFiles files = files(Connection.Http.of("shop", server.base()))) {
      LoadedFlow flow = files.load("f.yaml", CREATE.formatted("keyed"), 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        assertThatThrownBy(() -> test.run(flow.flow(), Map.of("id", "A")))
            .isInstanceOf(RunFailed.class)
            .hasMessageContaining("address-refused")
            .hasMessageContaining("127.0.0.1")
            .hasMessageContaining("privateHosts");
        assertThat(server.requests()).isEmpty();
      }
    }
  }

  @Test
  void no_secret_is_in_any_history_or_error() throws Exception {
    var next = new AtomicInteger(400);
    String basic =
        java.util.Base64.getEncoder()
            .encodeToString(("user:" + SECRET).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    try (var server =
            new TestServer(
                request ->
                    TestServer.Answer.json(
                        next.getAndSet(200),
                        "{\"id\":\"x\",\"echo\":\"%s %s\"}"
                            .formatted(request.header("authorization"), SECRET)));
        FlowFiles files =
            files(server.connection("shop").auth(new Connection.Auth.Basic("user", "token")))) {
      LoadedFlow flow = files.load("f.yaml", CREATE.formatted("keyed"), 1);
      try (FlowTest test = FlowTest.of(flow.flow())) {
        RunHandle<Object> failed = test.start(flow.flow(), Map.of("id", "A"));
        RunHandle<Object> done = test.start(flow.flow(), Map.of("id", "B"));

        assertThat(server.requests().getFirst().header("authorization"))
            .isEqualTo("Basic " + basic);
        String all =
            test.history(failed).toString()
                + test.history(done)
                + test.hapax().run(failed.id())
                + test.hapax().run(done.id())
                + test.hapax().effects(test.hapax().effects());
        assertThat(all).contains("[redacted]").doesNotContain(SECRET).doesNotContain(basic);
      }
    }
  }
}
