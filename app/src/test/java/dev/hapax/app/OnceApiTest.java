package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An effect without a flow happens once per name and key, whatever callers and answers do. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 100, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Order(1)
class OnceApiTest {
  private static final String RETRY =
      "\"retry\": {\"attempts\": 3, \"delay\": \"10ms\", \"maxDelay\": \"10ms\", \"within\":"
          + " \"1m\"}";

  @TempDir private static Path folder;
  private static TestServer server;
  private static int tests;

  private final int test = ++tests;
  private HttpServer psp;

  /** The requests that arrived: method, path, key on the wire, body. */
  private final List<String> sent = new CopyOnWriteArrayList<>();

  /** Statuses of the next answers; 0 closes the connection instead. */
  private final List<Integer> next = new CopyOnWriteArrayList<>();

  private volatile boolean knows;
  private final CountDownLatch open = new CountDownLatch(1);
  private volatile boolean holds;

  @BeforeAll
  static void start() throws IOException {
    server = new TestServer(folder, true);
  }

  @AfterAll
  static void close() {
    server.close();
  }

  /** Each test has keys of its own, and its own destination behind the connection. */
  @BeforeEach
  void serve() throws IOException {
    psp = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 300);
    psp.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    psp.createContext("/", this::answer);
    psp.start();
    Reply put =
        server.put(
            "/api/connections/psp",
            "{\"http\": {\"base\": \"http://127.0.0.1:%d\", \"privateHosts\": [\"127.0.0.1\"]}}"
                .formatted(psp.getAddress().getPort()));
    assertThat(put.status()).isLessThan(300);
  }

  @AfterEach
  void stop() {
    open.countDown();
    psp.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String method = exchange.getRequestMethod();
      if (method.equals("GET")) {
        reply(exchange, knows ? 200 : 404, "{\"id\": \"ch_found\"}");
        return;
      }
      sent.add(
          "%s %s %s %s"
              .formatted(
                  method,
                  exchange.getRequestURI(),
                  exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                  body));
      if (holds) {
        open.await();
      }
      int status = next.isEmpty() ? 201 : next.removeFirst();
      if (status == 0) {
        knows = true;
        return; // closed without an answer
      }
      reply(exchange, status, "{\"id\": \"ch_%d\"}".formatted(sent.size()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void reply(HttpExchange exchange, int status, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** The key of this test that others call by this name, too. */
  private String key(String name) {
    return name + "-of-" + test;
  }

  private String charge(String key, String guard, int cents) {
    return """
    {"effect": {"name": "charge", "key": "%s", "guard": %s}, "connection": "psp",
     "http": {"method": "POST", "path": "/charges", "body": {"cents": %d}}, %s}
    """
        .formatted(key(key), guard, cents, RETRY);
  }

  private Reply once(String body, String... headers) {
    return server.post("/api/once", body, headers);
  }

  @Test
  void a_second_call_gets_the_recorded_result() {
    Reply first = once(charge("A-1", "\"keyed\"", 40));
    Reply second = once(charge("A-1", "\"keyed\"", 40));

    assertThat(first.status()).as("%s", first.body()).isEqualTo(201);
    assertThat(first.at("/state")).isEqualTo("succeeded");
    assertThat(first.at("/output/body/id")).isEqualTo("ch_1");
    assertThat(first.at("/effect/state")).isEqualTo("done");
    assertThat(second.status()).isEqualTo(200);
    assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(sent).hasSize(1);
    Reply run = server.get("/api/runs/" + first.at("/run"));
    assertThat(run.at("/flow")).isEqualTo("hapax.once");
    assertThat(run.at("/key")).isEqualTo("charge:" + key("A-1"));
    assertThat(server.get("/api/runs/" + first.at("/run") + "/history").raw().body())
        .contains("\"type\":\"intent\"")
        .contains("\"decision\":\"answered\"");
  }

  @Test
  void callers_of_one_key_share_one_send() throws Exception {
    holds = true;
    List<Future<Reply>> replies = new ArrayList<>();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 256; i++) {
        replies.add(callers.submit(() -> once(charge("A-1", "\"none\"", 40), "Prefer", "wait=25")));
      }
      while (sent.isEmpty()) {
        Thread.onSpinWait();
      }
      open.countDown();
    }

    int fresh = 0;
    for (Future<Reply> reply : replies) {
      assertThat(reply.get().at("/output/body/id")).as("%s", reply.get()).isEqualTo("ch_1");
      fresh += reply.get().status() == 201 ? 1 : 0;
    }
    assertThat(fresh).isEqualTo(1);
    assertThat(sent).hasSize(1);
  }

  @Test
  void another_timeout_or_retry_is_the_same_request() {
    String update = charge("A-2", "\"upsert\"", 40).replace("POST", "PUT");
    update = update.replace("\"guard\"", "\"kind\": \"update\", \"guard\"");
    for (String body : List.of(charge("A-1", "\"keyed\"", 40), update)) {
      Reply first = once(body);

      Reply longer = once(body.replace("\"retry\"", "\"timeout\": \"40s\", \"retry\""));
      Reply once = once(body.replace("\"attempts\": 3", "\"attempts\": 5"));
      Reply none = once(body.replace(", " + RETRY, ""));

      for (Reply again : List.of(longer, once, none)) {
        assertThat(again.status()).as("%s", again.body()).isEqualTo(200);
        assertThat(again.at("/run")).isEqualTo(first.at("/run"));
      }
    }
    assertThat(sent).hasSize(2);
  }

  @Test
  void another_request_under_the_key_is_refused() {
    Reply first = once(charge("A-1", "\"keyed\"", 40));

    Reply other = once(charge("A-1", "\"keyed\"", 45));

    assertThat(other.status()).isEqualTo(409);
    assertThat(other.at("/type")).endsWith("/key-reused");
    assertThat(other.at("/detail")).contains("cents");
    assertThat(other.at("/run")).isEqualTo(first.at("/run"));
    assertThat(sent).hasSize(1);
  }

  @Test
  void an_update_is_sent_again_when_its_content_changes() {
    String body =
        """
        {"effect": {"name": "customer", "key": "7", "guard": "upsert", "kind": "update"}, "connection": "psp",
         "http": {"method": "PUT", "path": "/customers/7", "body": {"name": "%s"}}}
        """;
    assertThat(once(body.formatted("Ada")).status()).isEqualTo(201);
    assertThat(once(body.formatted("Ada")).status()).isEqualTo(200);
    assertThat(once(body.formatted("Grace")).status()).isEqualTo(201);

    assertThat(sent).hasSize(2);
  }

  @Test
  void a_call_after_a_failure_tries_again() {
    next.add(422);
    Reply failed = once(charge("A-1", "\"keyed\"", 40));
    Reply again = once(charge("A-1", "\"keyed\"", 40));

    assertThat(failed.status()).as("%s", failed.body()).isEqualTo(201);
    assertThat(failed.at("/state")).isEqualTo("failed");
    assertThat(failed.at("/effect/state")).isEqualTo("failed");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.at("/state")).as("%s", again.body()).isEqualTo("succeeded");
    assertThat(again.at("/run")).isEqualTo(failed.at("/run"));
    assertThat(sent).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "keyed, succeeded, 2",
    "upsert, succeeded, 2",
    "lookup, succeeded, 1",
    "none, review, 1"
  })
  void a_lost_answer_follows_the_rule_of_the_guard(String guard, String state, int sends) {
    next.add(0);
    String lookup =
        "{\"lookup\": {\"http\": {\"connection\": \"psp\", \"path\": \"/charges/A-1\"}, \"found\":"
            + " \"${response.status == 200}\", \"output\": \"${response.body}\", \"settle\":"
            + " \"10ms\"}}";
    String given = guard.equals("lookup") ? lookup : Json.write(guard);
    String body =
        guard.equals("upsert")
            ? charge("A-1", given, 40).replace("POST", "PUT")
            : charge("A-1", given, 40);

    Reply reply =
        once(body.replace("\"retry\"", "\"timeout\": \"1s\", \"retry\""), "Prefer", "wait=25");

    assertThat(reply.at("/state")).as("%s", reply.body()).isEqualTo(state);
    assertThat(sent).hasSize(sends);
    assertThat(sent.stream().map(one -> one.split(" ", -1)[2]).distinct()).hasSize(1);
    Reply second = once(body.replace("\"retry\"", "\"timeout\": \"1s\", \"retry\""));
    assertThat(second.at("/state")).isEqualTo(state);
    assertThat(sent).hasSize(sends);
    if (guard.equals("lookup")) {
      assertThat(reply.at("/output/body/id")).isEqualTo("ch_found");
    }
  }

  @Test
  void a_run_goes_on_after_a_restart() throws IOException {
    next.add(503);
    String slow = charge("A-1", "\"keyed\"", 40).replace("10ms", "1s");
    Reply begun = once(slow, "Prefer", "wait=0");
    while (sent.isEmpty()) {
      Thread.onSpinWait();
    }
    server.close();
    server = new TestServer(folder, true);

    Reply ended = once(slow, "Prefer", "wait=25");

    assertThat(begun.status()).isEqualTo(201);
    assertThat(ended.at("/run")).isEqualTo(begun.at("/run"));
    assertThat(ended.at("/state")).as("%s", ended.body()).isEqualTo("succeeded");
    assertThat(sent.stream().map(one -> one.split(" ", -1)[2]).distinct()).hasSize(1);
  }

  @Test
  void tenants_do_not_share_effects() {
    once(charge("A-1", "\"keyed\"", 40));

    Reply other =
        server.send(
            server
                .request("/api/once")
                .setHeader("Authorization", "Bearer " + server.tokenOf("other"))
                .POST(BodyPublishers.ofString(charge("A-1", "\"keyed\"", 45))));

    assertThat(other.status()).as("%s", other.body()).isEqualTo(422); // it has no such connection
    assertThat(other.raw().body()).doesNotContain("ch_1").contains("psp");
    assertThat(sent).hasSize(1);
  }

  @Test
  void texts_of_a_request_are_data_and_no_expressions() {
    String body =
        """
        {"effect": {"name": "note", "key": "${run.id}", "guard": "keyed"}, "connection": "psp",
         "http": {"method": "POST", "path": "/notes", "query": {"q": "$${x}"}, "headers": {"X-Note": "${run.flow}"},
                  "body": {"text": "${secrets.psp} $${ ${"}}}
        """;
    Reply reply = once(body);

    assertThat(reply.status()).as("%s", reply.body()).isEqualTo(201);
    assertThat(reply.at("/state")).as("%s", reply.body()).isEqualTo("succeeded");
    assertThat(sent.getFirst()).contains("{\"text\":\"${secrets.psp} $${ ${\"}");
    assertThat(server.get("/api/runs/" + reply.at("/run")).at("/key")).isEqualTo("note:${run.id}");
  }

  @Test
  void only_the_lookup_of_a_guard_has_expressions() {
    String body =
        """
        {"effect": {"name": "note", "key": "1", "guard": "keyed"}, "connection": "psp",
         "http": {"method": "POST", "path": "/notes",
                  "query": {"lookup": "${run.id}", "found": "${run.flow}"},
                  "form": {"lookup": {"found": "${run.id}"}}}}
        """;

    Reply nested = once(body);
    Reply flat = once(body.replaceAll(",\\s*\"form\": .*?}}}}", "}}"));

    assertThat(nested.status()).as("%s", nested.body()).isEqualTo(422); // a form has texts
    assertThat(flat.at("/state")).as("%s", flat.body()).isEqualTo("succeeded");
    assertThat(sent.getFirst()).contains("lookup=%24%7Brun.id%7D").doesNotContain("hapax.once");
  }

  @Test
  void a_token_limited_to_flows_needs_the_flow_of_effects() {
    String scopes = "\"scopes\": [\"runs:write\", \"connections:use\"]";
    String body = "{\"name\": \"%s\", %s, \"flows\": [\"%s\"]}";
    Reply other = server.post("/api/tokens", body.formatted("other", scopes, "orders"));
    Reply ours = server.post("/api/tokens", body.formatted("ours", scopes, "hapax.once"));
    assertThat(other.status()).as("%s", other.body()).isLessThan(300);
    assertThat(ours.status()).as("%s", ours.body()).isLessThan(300);

    Reply refused = onceBy(String.valueOf(other.at("/token")));
    Reply allowed = onceBy(String.valueOf(ours.at("/token")));

    assertThat(refused.status()).as("%s", refused.body()).isEqualTo(403);
    assertThat(refused.at("/detail")).contains("hapax.once");
    assertThat(allowed.status()).as("%s", allowed.body()).isEqualTo(201);
    assertThat(sent).hasSize(1);
  }

  private Reply onceBy(String token) {
    return server.send(
        server
            .request("/api/once")
            .setHeader("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(charge("A-1", "\"keyed\"", 40))));
  }

  @Test
  void names_and_keys_cannot_be_joined_to_another_pair() {
    String body = charge("b/c", "\"keyed\"", 1).replace("\"charge\"", "\"a\"");
    String like = charge("c", "\"keyed\"", 1).replace("\"charge\"", "\"a/b\"");

    assertThat(once(body).status()).isEqualTo(201);
    assertThat(once(like).status()).isEqualTo(201);
    assertThat(sent).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | 400 | object",
        "{} | 400 | effect",
        "{'effect': 7} | 400 | effect",
        "{'effect': {'name': 'a', 'key': 7, 'guard': 'keyed'}, 'connection': 'psp', 'http': {}} |"
            + " 400 | effect.key",
        "{'effect': {'name': 'a b', 'key': 'k', 'guard': 'keyed'}, 'connection': 'psp', 'http': {}}"
            + " | 400 | name of the effect",
        "{'effect': {'name': 'a', 'key': 'k', 'guard': 'keyed'}, 'connection': 'psp'} | 400 | http,"
            + " db",
        "{'effect': {'name': 'a', 'key': 'k', 'guard': 'keyed'}, 'connection': 'psp', 'http': {},"
            + " 'db': {}} | 400 | one of",
        "{'effect': {'name': 'a', 'key': 'k', 'guard': 'keyed'}, 'connection': 'psp', 'http':"
            + " {'method': 'POST'}, 'flow': 'x'} | 400 | flow",
        "{'effect': {'name': 'a', 'key': 'k', 'guard': 'keyed', 'step': 'x'}, 'connection': 'psp',"
            + " 'http': {}} | 400 | effect.step",
        "{'effect': {'name': 'a', 'key': 'k', 'guard': 'keyed'}, 'connection': 'psp', 'http': 'POST"
            + " /'} | 400 | http",
        "{'effect': {'name': 'a', 'key': 'k'}, 'connection': 'psp', 'http': {}} | 400 | guard",
        "{'effect': {'name': 'a', 'key': 'k', 'guard': 'maybe'}, 'connection': 'psp', 'http':"
            + " {'method': 'POST'}} | 422 | maybe",
        "{'effect': {'name': 'a', 'key': 'k', 'guard': 'keyed'}, 'connection': 'psp', 'http':"
            + " {'method': 'EXEC'}} | 422 | EXEC",
        "{'effect': {'name': 'a', 'key': 'k', 'guard': 'keyed'}, 'connection': 'psp', 'http':"
            + " {'verb': 'POST'}} | 422 | verb",
        "{'effect': {'name': 'a', 'key': 'k', 'guard': 'keyed'}, 'connection': 'gone', 'http':"
            + " {'method': 'POST'}} | 422 | gone",
        "{'effect': {'name': 'a', 'key': 'k', 'guard': 'transaction'}, 'connection': 'psp', 'http':"
            + " {'method': 'POST'}} | 422 | transaction",
        "{'effect': {'name': 'a', 'key': 'k', 'guard': 'keyed'}, 'connection': 'psp', 'http':"
            + " {'method': 'POST', 'url': 'http://x.example/'}} | 422 | url",
        "{'effect': {'name': 'a', 'key': 'k'}, 'connection': 'psp', 'publish': {'type': 'x'},"
            + " 'timeout': 'soon'} | 422 | soon",
      })
  void a_bad_request_gets_a_clear_answer(String body, int status, String word) {
    Reply reply = once(body.replace('\'', '"'));

    assertThat(reply.status()).as("%s", reply.body()).isEqualTo(status);
    assertThat(reply.raw().body()).contains(word);
    assertThat(sent).isEmpty();
  }

  @Test
  void a_huge_request_is_refused() {
    Reply reply =
        once(charge("A-1", "\"keyed\"", 40).replace("40", "\"" + "x".repeat(2_000_000) + "\""));

    assertThat(reply.status()).isEqualTo(413);
    assertThat(sent).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1_025, 10_000, 500_000})
  void a_key_that_no_store_takes_is_refused(int length) {
    Reply reply = once(charge("k".repeat(length - key("").length()), "\"keyed\"", 40));

    assertThat(reply.status()).as("%s", reply.raw().body().length()).isEqualTo(400);
    assertThat(reply.raw().body()).hasSizeLessThan(2_000);
    assertThat(sent).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {900_000, 1_040_000, 1_048_000})
  void a_body_of_nearly_a_megabyte_is_sent_whole_or_not_at_all(int length) {
    String text = "x".repeat(length);
    String body = charge("A-1", "\"keyed\"", 40).replace("40", "\"" + text + "\"");

    Reply reply = once(body);

    if (reply.status() == 201 && reply.at("/state").equals("succeeded")) {
      assertThat(sent).hasSize(1);
      assertThat(sent.getFirst()).contains(text);
      assertThat(once(body).header("Idempotent-Replayed")).isEqualTo("true");
      assertThat(sent).hasSize(1);
    } else {
      assertThat(reply.status()).as(reply.raw().body()).isLessThan(500);
      assertThat(sent).isEmpty();
    }
  }

  @Test
  void a_flow_with_the_same_effect_name_and_key_shares_the_effect() {
    String flow =
        """
        flow: checkout-%1$d
        input: {type: object, required: [id], properties: {id: {type: string}}}
        key: ${input.id}
        steps:
          - id: pay
            http: {connection: psp, method: POST, path: /charges, body: {cents: %1$d}}
            effect: {name: charge, kind: create, key: "${input.id}", guard: keyed}
        output: {id: "${steps.pay.output.body.id}"}
        """;
    server.release(flow.formatted(40));
    server.release(flow.formatted(45));
    once(charge("A-1", "\"keyed\"", 40));

    Reply same = started("checkout-40", "A-1");
    Reply other = started("checkout-45", "A-1");
    Reply first = started("checkout-40", "A-2");
    Reply after = once(charge("A-2", "\"keyed\"", 40));

    assertThat(same.at("/output/id")).as("%s", same.body()).isEqualTo("ch_1");
    assertThat(other.at("/error/code")).as("%s", other.body()).isEqualTo("effect-key-reused");
    assertThat(after.at("/output/body/id")).isEqualTo(first.at("/output/id")).isEqualTo("ch_2");
    assertThat(sent).hasSize(2);
  }

  private Reply started(String flow, String id) {
    return server.post(
        "/api/flows/%s/runs".formatted(flow),
        "{\"id\": \"%s\"}".formatted(key(id)),
        "Prefer",
        "wait=25");
  }

  @Test
  void an_agent_and_a_script_get_the_same_effect() {
    String request = charge("A-1", "\"keyed\"", 40);
    String call =
        """
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "once", "arguments": %s}}
        """
            .formatted(request);

    Reply agent = server.post("/mcp", call);
    Reply again = server.post("/mcp", call);
    Reply script = once(request);

    assertThat(agent.at("/result/structuredContent/status"))
        .as("%s", agent.body())
        .isEqualTo("succeeded");
    assertThat(again.at("/result/structuredContent/duplicate")).isEqualTo("true");
    assertThat(script.at("/run")).isEqualTo(agent.at("/result/structuredContent/run"));
    assertThat(script.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(sent).hasSize(1);
  }

  @Test
  void a_large_body_is_sent_exactly() {
    String text = "x".repeat(200_000);
    Reply reply =
        once(
            charge("A-1", "\"keyed\"", 40)
                .replace("40", "[1.10, 12345678901234567890, \"" + text + "\"]"));

    assertThat(reply.at("/state")).as("%s", reply.body()).isEqualTo("succeeded");
    assertThat(sent.getFirst()).contains("12345678901234567890").contains(text);
  }

  @Test
  void the_flow_is_reserved() {
    Reply draft =
        server.send(
            server
                .request("/api/flows/hapax.once/draft")
                .setHeader("Content-Type", "application/yaml")
                .PUT(
                    BodyPublishers.ofString(
                        "flow: hapax.once\nsteps:\n  - id: a\n    set: {b: 1}\n")));
    Reply start = server.post("/api/flows/hapax.once/runs", charge("A-1", "\"keyed\"", 40));

    assertThat(draft.status()).as("%s", draft.body()).isEqualTo(409);
    assertThat(draft.at("/detail")).contains("'hapax.once' is reserved").contains("another name");
    assertThat(start.status()).isEqualTo(404);
    assertThat(sent).isEmpty();
  }

  @Test
  void a_token_needs_the_right_to_use_connections() {
    Reply made =
        server.post(
            "/api/tokens", Json.write(Map.of("name", "starter", "scopes", List.of("runs:write"))));
    assertThat(made.status()).as("%s", made.body()).isLessThan(300);

    Reply reply =
        server.send(
            server
                .request("/api/once")
                .setHeader("Authorization", "Bearer " + made.at("/token"))
                .POST(BodyPublishers.ofString(charge("A-1", "\"keyed\"", 40))));

    assertThat(reply.status()).isEqualTo(403);
    assertThat(reply.at("/detail")).contains("connections:use");
    assertThat(sent).isEmpty();
  }

  @Test
  void a_call_that_retries_a_failed_one_is_in_the_audit_log() {
    long before = callsInAuditLog();
    next.add(422);
    Reply failed = once(charge("A-1", "\"none\"", 40));
    assertThat(failed.at("/state")).as("%s", failed.body()).isEqualTo("failed");
    assertThat(callsInAuditLog()).isEqualTo(before);

    Reply again = once(charge("A-1", "\"none\"", 40));

    assertThat(again.at("/state")).isEqualTo("succeeded");
    assertThat(server.get("/api/audit").raw().body())
        .contains("POST /api/once", "retries run=" + failed.at("/run"));
  }

  private static long callsInAuditLog() {
    String log = server.get("/api/audit?limit=200").raw().body();
    return Pattern.compile("/api/once", Pattern.LITERAL).matcher(log).results().count();
  }
}
