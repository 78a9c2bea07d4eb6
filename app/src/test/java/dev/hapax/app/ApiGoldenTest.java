package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.flow.Message;
import dev.hapax.flows.yaml.JsonSchema;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The API's JSON, member by member, and its OpenAPI document. The answers in the golden file are
 * the examples of that document. With {@code -Dhapax.golden=write} the files are written anew.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ApiGoldenTest {
  private static final boolean WRITE = "write".equals(System.getProperty("hapax.golden"));
  private static final JsonMapper PRETTY =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  @TempDir Path folder;
  private final Map<String, JsonNode> seen = new TreeMap<>();

  @Test
  void answers_are_as_the_examples_say() throws IOException {
    try (var server = new TestServer(folder)) {
      runs(server);
      jobs(server);
      once(server);
      reconciliations(server);
      people(server);
      alerts(server);
      values(server);
      flows(server);
      schedules(server);
      queues(server);
      inbox(server);
      outbox(server);
      deployments(server);
      hands(server);
      retention(server);
      subjects(server);
      access(server);
    }

    restored();
    compare("src/main/resources/dev/hapax/app/http/examples.json");
  }

  /** The backup that was made takes the place of its store. */
  private void restored() throws IOException {
    Files.copy(
        folder.resolve("backups/before"),
        folder.resolve("hapax.db"),
        StandardCopyOption.REPLACE_EXISTING);
    try (var server = new TestServer(folder)) {
      keep("GET /api/restore", server.get("/api/restore"));
      keep("POST /api/restore", server.post("/api/restore", "{\"as\": \"production\"}"));
    }
  }

  private void runs(TestServer server) {
    String start = "/api/flows/order/runs";
    String[] wait = {"Prefer", "wait=20"};
    Reply run = server.post(start, "{\"id\": \"A-1001\", \"total\": 40.00}", wait);
    keep("POST /api/flows/{flow}/runs", run);
    keep(
        "POST /api/flows/{flow}/runs",
        server.post(start, "{\"id\": \"A-1001\", \"total\": 40.00}"));
    keep("GET /api/runs", server.get("/api/runs?flow=order"));
    keep("GET /api/runs/{id}", server.get("/api/runs/" + run.at("/id")));
    keep("GET /api/runs/{id}/history", server.get("/api/runs/" + run.at("/id") + "/history"));
    keep("GET /api/runs/{id}/waits", server.get("/api/runs/" + run.at("/id") + "/waits"));
    Reply duplicates = server.get("/api/runs/" + run.at("/id") + "/duplicates");
    while (duplicates.body().path("items").isEmpty()) { // they are written a second later
      duplicates = server.get("/api/runs/" + run.at("/id") + "/duplicates");
    }
    keep("GET /api/runs/{id}/duplicates", duplicates);

    server.moods.put("A-1002", "refused");
    String failed = "/api/runs/" + server.post(start, "{\"id\": \"A-1002\"}", wait).at("/id");
    keep("GET /api/runs/{id} failed", server.get(failed));
    server.moods.remove("A-1002");
    keep("POST /api/runs/{id}/retry", server.post(failed + "/retry", "{}", wait));
    replays(server);

    server.moods.put("A-1003", "lost");
    server.post(start, "{\"id\": \"A-1003\"}", wait);
    keep("GET /api/effects", server.get("/api/effects?state=review"));
    String effect = "/api/effects/" + server.get("/api/effects?state=review").at("/items/0/id");
    keep("GET /api/effects/{id}", server.get(effect));
    desk(server);
    String settlement =
        """
        {"decision": "happened", "externalId": "ch_1", "result": {"charged": "A-1003"}, "reason": "seen at the bank"}
        """;
    keep("POST /api/effects/{id}/settle", server.post(effect + "/settle", settlement));
    String settled = "/api/runs/" + server.get(effect).at("/run");
    while (!server.get(settled).at("/status").equals("succeeded")) {
      LockSupport.parkNanos(2_000_000); // each look takes a request's time
    }
    keep("GET /api/receipts/{effect}", server.get(effect.replace("effects", "receipts")));
    keep("GET /api/receipts", server.get("/api/receipts?name=order%2Fcharge&key=A-1003"));
    keep("GET /api/find", server.get("/api/find?q=" + run.at("/id")));
    String rows =
        """
        {"name": "invoice", "key": "A-17", "kind": "create", "externalId": "in_17", "output": {"id": "in_17"}, "at": "2025-11-03T09:00:00Z"}
        {"name": "invoice", "key": "A-17", "kind": "create", "externalId": "in_18"}
        {"name": "invoice", "key": "A-18", "kind": "creat"}
        """;
    keep(
        "POST /api/ledger/import",
        server.send(
            server
                .request("/api/ledger/import")
                .setHeader("Content-Type", "application/x-ndjson")
                .POST(BodyPublishers.ofString(rows))));
    keep("GET /api/ledger/export", server.get("/api/ledger/export?name=invoice"));
  }

  /** What a person does by hand. The review that the canceled run waits for stays open. */
  private void hands(TestServer server) {
    String[] wait = {"Prefer", "wait=20"};
    server.moods.put("A-1005", "refused");
    String failed =
        "/api/runs/" + server.post("/api/flows/order/runs", "{\"id\": \"A-1005\"}", wait).at("/id");
    String output = "{\"output\": {\"charged\": \"A-1005\"}, \"reason\": \"charged by phone\"}";
    server.post(failed + "/steps/charge/settle", output);
    while (!server.get(failed).at("/status").equals("succeeded")) {
      LockSupport.parkNanos(2_000_000); // each look takes a request's time
    }
    keep("POST /api/runs/{id}/steps/{step}/settle", server.get(failed));
    server.moods.put("A-1006", "lost");
    String lost =
        "/api/runs/" + server.post("/api/flows/order/runs", "{\"id\": \"A-1006\"}", wait).at("/id");
    server.post(lost + "/cancel", "{\"reason\": \"a mistake\"}");
    Reply canceled;
    do {
      while (server.get(lost).body().has("dueAt")) { // until it waits for the review again
        LockSupport.parkNanos(2_000_000);
      }
      canceled = server.post(lost + "/cancel", "{\"reason\": \"a mistake\"}");
    } while (!canceled.body().has("dueAt")); // it was in memory before the answer was made
    keep("POST /api/runs/{id}/cancel", canceled);
  }

  private void once(TestServer server) throws IOException {
    HttpServer psp =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    psp.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] charged = "{\"id\": \"ch_1\"}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(201, charged.length);
            exchange.getResponseBody().write(charged);
          }
        });
    psp.start();
    try {
      server.put(
          "/api/connections/psp",
          "{\"http\": {\"base\": \"http://127.0.0.1:%d\", \"privateHosts\": [\"127.0.0.1\"]}}"
              .formatted(psp.getAddress().getPort()));
      String charge =
          """
          {"effect": {"name": "charge", "key": "A-1001", "guard": "keyed"}, "connection": "psp",
           "http": {"method": "POST", "path": "/charges", "body": {"cents": 4000}}}
          """;
      keep("POST /api/once", server.post("/api/once", charge));
      keep("POST /api/once", server.post("/api/once", charge));
      server.delete("/api/connections/psp"); // its port differs from time to time
    } finally {
      psp.stop(0);
    }
  }

  private void reconciliations(TestServer server) {
    String connection =
        "{\"http\": {\"base\": \"" + server.address() + "\", \"privateHosts\": [\"127.0.0.1\"]}}";
    server.put("/api/connections/here", connection);
    server.release(
        """
        flow: billing
        key: ${input.id}
        steps:
          - id: invoice
            http: {connection: here, method: POST, path: /invoices, body: {order: "${input.id}"}}
            effect:
              name: invoice
              kind: create
              key: ${input.id}
              guard: keyed
              reconcile:
                list: {connection: here, path: /healthz}
                items: "${[{'order': 'A-17', 'id': 'in_17'}, {'order': 'A-18', 'id': 'in_18'}]}"
                key: ${item.order}
                externalId: ${item.id}
        """);
    String wish = "{\"flow\": \"billing\", \"adopt\": true}";
    String[] key = {"Idempotency-Key", "2026-11"};
    String one = "/api/reconciliations/" + server.post("/api/reconciliations", wish, key).at("/id");
    Reply found = server.get(one);
    while (!found.at("/status").equals("succeeded")) {
      found = server.get(one);
    }
    keep("GET /api/reconciliations/{id}", found);
    keep("POST /api/reconciliations", server.post("/api/reconciliations", wish, key));
    repair(server);
    server.delete("/api/connections/here"); // its port differs from time to time
  }

  /** The imported effect is not in the list by now, and no run could send it. */
  private void repair(TestServer server) {
    String import1 =
        "{\"name\": \"invoice\", \"key\": \"A-19\", \"kind\": \"create\", \"externalId\":"
            + " \"in_19\"}";
    server.send(
        server
            .request("/api/ledger/import")
            .setHeader("Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(import1)));
    String wish = "{\"flow\": \"billing\", \"repair\": true}";
    String[] key = {"Idempotency-Key", "2026-12"};
    String one = "/api/reconciliations/" + server.post("/api/reconciliations", wish, key).at("/id");
    Reply found = server.get(one);
    while (!found.at("/status").equals("succeeded")) {
      found = server.get(one);
    }
    keep("GET /api/reconciliations/{id} repair", found);
    String reason = "{\"reason\": \"deleted by mistake\"}";
    server.post(one + "/repair", reason);
    Reply repaired = server.get(one + "/repair");
    while (!repaired.at("/status").equals("succeeded")) {
      repaired = server.get(one + "/repair");
    }
    keep("GET /api/reconciliations/{id}/repair", repaired);
    keep("POST /api/reconciliations/{id}/repair", server.post(one + "/repair", reason));
  }

  private void jobs(TestServer server) {
    failed(server, "A-1008");
    Reply plan =
        server.post(
            "/api/jobs",
            "{\"kind\": \"retry\", \"filter\": {\"flow\": \"order\", \"error\": \"card-refused\"},"
                + " \"plan\": true}");
    keep("POST /api/jobs", plan);
    awaitJob(server, plan.at("/id"), "planned");
    server.post("/api/jobs", "{\"apply\": \"%s\"}".formatted(plan.at("/id")));
    Reply done = awaitJob(server, plan.at("/id"), "done");
    assertThat(done.at("/results/0/state")).isEqualTo("done");
    keep("GET /api/jobs/{id}", done);
    for (String kind :
        List.of(
            "\"cancel\", \"filter\": {\"flow\": \"order\"}",
            "\"settle\", \"filter\": {\"flow\": \"order\"}, \"decision\": \"abandon\", \"reason\": \"asked\"",
            "\"redeliver\", \"filter\": {\"destination\": \"shop\"}",
            "\"delete\", \"filter\": {\"flow\": \"order\"}, \"reason\": \"asked\"")) {
      Reply other = server.post("/api/jobs", "{\"kind\": %s, \"plan\": true}".formatted(kind));
      assertThat(other.status()).as(kind + other.body()).isLessThan(300);
      awaitJob(server, other.at("/id"), "planned");
    }
    String job = "/api/jobs/" + server.get("/api/jobs").at("/items/0/id");
    keep("GET /api/jobs", server.get("/api/jobs"));
    keep("POST /api/jobs/{id}/cancel", server.post(job + "/cancel", "{}"));
    String slow = "{\"kind\": \"retry\", \"filter\": {\"flow\": \"order\"}, \"rate\": 1}";
    for (int i = 1; i <= 20; i++) { // so many seconds to pause it
      server.moods.put("B-" + i, "refused");
      server.post("/api/flows/order/runs", "{\"id\": \"B-" + i + "\"}", "Prefer", "wait=20");
    }
    String other = "/api/jobs/" + server.post("/api/jobs", slow).at("/id");
    while (server.get(other).at("/done").equals("0")) {
      LockSupport.parkNanos(2_000_000);
    }
    keep("POST /api/jobs/{id}/pause", server.post(other + "/pause", "{}"));
    keep("POST /api/jobs/{id}/resume", server.post(other + "/resume", "{\"rate\": 5}"));
    server.post(other + "/cancel", "{}");
  }

  private void desk(TestServer server) {
    keep("GET /api/reviews", server.get("/api/reviews"));
    keep(
        "GET /api/overview",
        server.get("/api/overview?from=2026-01-01T10:00:00Z&to=2026-01-01T10:03:00Z"));
    Reply nodes = server.get("/api/nodes");
    keep(
        "GET /api/nodes",
        new Reply(
            nodes.status(),
            Json.tree(
                nodes.body().toString().replaceAll("\"runsInMemory\":\\d+", "\"runsInMemory\":0")),
            nodes.raw()));
    keep("GET /api/reviews/causes", server.get("/api/reviews/causes"));
    String review = "/api/reviews/" + server.get("/api/reviews").at("/items/0/id");
    keep(
        "POST /api/reviews/{id}/assign",
        server.post(review + "/assign", "{\"assignee\": \"ada\"}"));
    keep(
        "POST /api/reviews/{id}/comments",
        server.post(review + "/comments", "{\"text\": \"asked the bank\"}"));
    keep("GET /api/reviews/{id}", server.get(review));
    server.moods.put("A-1004", "lost");
    server.post("/api/flows/order/runs", "{\"id\": \"A-1004\"}", "Prefer", "wait=20");
    String other = server.get("/api/reviews?key=A-1004").at("/items/0/id");
    keep(
        "POST /api/reviews/settle",
        server.post(
            "/api/reviews/settle",
            """
            {"decision": "abandon", "reason": "the customer is gone",
             "items": [{"effect": "%s", "revision": 1, "attempt": 1}]}
            """
                .formatted(other)));
  }

  /** A run has failed, and is to be sent again. */
  private static String failed(TestServer server, String key) {
    server.moods.put(key, "refused");
    String start = "/api/flows/order/runs";
    Reply run = server.post(start, "{\"id\": \"%s\"}".formatted(key), "Prefer", "wait=20");
    server.moods.remove(key);
    return run.at("/id");
  }

  private void replays(TestServer server) {
    String id = failed(server, "A-1007");
    var plan = server.post("/api/replays", "{\"runs\": [\"%s\"], \"plan\": true}".formatted(id));
    assertThat(plan.at("/items/0/decision")).isEqualTo("send");
    keep("POST /api/replays", plan);
    keep("GET /api/replays/{plan}", server.get("/api/replays/" + plan.at("/plan")));
    keep(
        "POST /api/replays",
        server.post(
            "/api/replays",
            "{\"apply\": \"%s\", \"reason\": \"a wrong price\"}".formatted(plan.at("/plan"))));
    awaitJob(server, plan.at("/plan"), "done");
  }

  private static Reply awaitJob(TestServer server, String job, String state) {
    Reply reply = server.get("/api/jobs/" + job);
    while (!reply.at("/state").equals(state)) {
      LockSupport.parkNanos(2_000_000); // each look takes a request's time
      reply = server.get("/api/jobs/" + job);
    }
    return reply;
  }

  private void alerts(TestServer server) {
    server.release(
        """
        flow: told
        key: ${input.at}
        alerts: {failed: [{flow: told}]}
        steps:
          - {id: a, set: {b: c}}
        """);
    keep("POST /api/alerts/test", server.post("/api/alerts/test", "{}"));
    keep("GET /api/alerts", server.get("/api/alerts"));
  }

  private void people(TestServer server) {
    server.post("/api/flows/ask/runs", "{\"id\": \"A-1001\"}");
    Reply open = server.get("/api/approvals");
    while (open.body().get("items").isEmpty()) {
      open = server.get("/api/approvals");
    }
    keep("GET /api/approvals", open);
    String approval = "/api/approvals/" + open.at("/items/0/id");
    keep("GET /api/approvals/{id}", server.get(approval));
    String decision = "{\"decision\": \"approve\", \"comment\": \"looks right\"}";
    keep("POST /api/approvals/{id}", server.post(approval, decision));
    String run = server.post("/api/flows/tell/runs", "{\"id\": \"A-1001\"}").at("/id");
    String token = callbackOf(server, run);
    keep("POST /api/callbacks/{token}", server.post("/api/callbacks/" + token, "{\"ok\": true}"));
  }

  static String callbackOf(TestServer server, String run) {
    String history = "";
    while (!history.contains("/api/callbacks/")) {
      history = server.get("/api/runs/" + run + "/history").at("/items");
    }
    return history.replaceAll("(?s).*api/callbacks/([a-z0-9]+).*", "$1");
  }

  private void values(TestServer server) {
    keep("PUT /api/kv/{+key}", server.put("/api/kv/rates/eur", "{\"value\": 1.10}"));
    keep("GET /api/kv/{+key}", server.get("/api/kv/rates/eur"));
    keep("GET /api/kv", server.get("/api/kv?prefix=rates/"));
    keep("DELETE /api/kv/{+key}", server.delete("/api/kv/rates/eur"));
    keep("POST /api/resources", server.post("/api/resources", "{\"pages\": 3}"));
    keep("GET /healthz", server.get("/healthz"));
    keep("GET /readyz", server.get("/readyz"));
  }

  private static final String REPORT =
      """
      flow: report
      description: What was sold.
      labels: [sales]
      triggers:
        - schedule: {name: leap-day, cron: "0 3 29 2 *", catchUp: latest, input: {id: "${schedule.time}"}}
        - webhook:
            path: shop/reports
            verify: {scheme: hmac, header: X-Shop-Signature, secret: shop-signing}
            event: ${event.body.id}
            input: ${event.body.data}
      input: {type: object, required: [id]}
      steps:
        - {id: note, set: {text: hello}}
      """;

  private void flows(TestServer server) {
    String flow = "/api/flows/report";
    server.put("/api/secrets/shop-signing", "{\"value\": \"whsec\"}");
    keep("PUT /api/flows/{flow}/draft", draft(server, REPORT));
    keep("POST /api/flows/{flow}/releases", server.post(flow + "/releases", NOTE));
    keep("POST /api/flows/{flow}/releases", server.post(flow + "/releases", NOTE));
    keep("PUT /api/flows/{flow}/live", server.put(flow + "/live", "{\"release\": 1}"));
    keep("GET /api/flows/{flow}", server.get(flow));
    keep("GET /api/flows", server.get("/api/flows?after=q&limit=1"));
    draft(server, REPORT.replace("hello", "good day"));
    server.post(flow + "/releases", "{}");
    keep("GET /api/flows/{flow}/releases", server.get(flow + "/releases"));
    keep("GET /api/flows/{flow}/releases/{release}", server.get(flow + "/releases/1"));
    keep("GET /api/flows/{flow}/releases/{release}/diff", server.get(flow + "/releases/2/diff"));
    keep("GET /api/flows/{flow}/draft/findings", server.get(flow + "/draft/findings"));
    keep("GET /api/flows/{flow}/input", server.get(flow + "/input"));
    keep(
        "POST /api/flows/{flow}/runs/check",
        server.post("/api/flows/order/runs/check", "{\"id\": \"A-9\"}"));
    server.release("flow: old-report\nsteps:\n  - {id: note, set: {text: hello}}\n");
    keep("DELETE /api/flows/{flow}/live", server.delete("/api/flows/old-report/live"));
  }

  private static final String NOTE = "{\"note\": \"the first one\"}";

  private static Reply draft(TestServer server, String text) {
    return server.send(
        server
            .request("/api/flows/report/draft")
            .setHeader("Content-Type", "application/yaml")
            .PUT(BodyPublishers.ofString(text)));
  }

  private void schedules(TestServer server) {
    keep("GET /api/schedules", server.get("/api/schedules"));
    String one = "/api/schedules/leap-day";
    keep("GET /api/schedules/{name}", server.get(one));
    keep("POST /api/schedules/{name}/pause", server.post(one + "/pause", ""));
    keep("POST /api/schedules/{name}/resume", server.post(one + "/resume", ""));
    String range = "{\"from\": \"2024-02-01T00:00:00Z\", \"to\": \"2024-03-01T00:00:00Z\"}";
    keep("POST /api/schedules/{name}/backfill", server.post(one + "/backfill", range));
  }

  /** Its database is not here, so that it waits; {@code TableQueueTest} reads one. */
  private void queues(TestServer server) {
    server.release(
        """
        flow: order-events
        key: ${input.order}
        triggers:
          - queue: {connection: shop-db, queue: order_events, name: shop-orders, done: processed_at}
        steps:
          - {id: note, set: {order: "${input.order}"}}
        """);
    String one = "/api/queues/shop-orders";
    server.post(one + "/pause", "");
    while (!server.get(one).at("/status").equals("paused")) {
      LockSupport.parkNanos(2_000_000); // each look takes a request's time
    }
    keep("POST /api/queues/{name}/pause", server.post(one + "/pause", ""));
    keep("GET /api/queues", server.get("/api/queues"));
    keep("GET /api/queues/{name}", server.get(one));
    server.post(one + "/resume", "");
    while (!server.get(one).at("/problem").startsWith("there is no connection")) {
      LockSupport.parkNanos(2_000_000);
    }
    keep("POST /api/queues/{name}/resume", server.post(one + "/resume", ""));
    seen.put("POST /api/queues/{name}/seek 200", Json.tree("{\"messages\": 120}"));
  }

  private void inbox(TestServer server) {
    keep("GET /api/secrets", server.get("/api/secrets"));
    String hook = "POST /hooks/{+path}";
    keep(hook, deliver(server, "{\"id\": \"evt_1\", \"data\": {\"id\": \"A-1001\"}}"));
    keep("GET /api/inbox", server.get("/api/inbox"));
    deliver(server, "{\"id\": \"evt_2\", \"data\": {}}");
    String invalid = "/api/inbox/" + server.get("/api/inbox?outcome=invalid").at("/items/0/id");
    keep("GET /api/inbox/{id}", server.get(invalid));
    keep("POST /api/inbox/{id}/retry", server.post(invalid + "/retry", ""));
    String range =
        "{\"from\": \"2020-01-01T00:00:00Z\", \"to\": \"2100-01-01T00:00:00Z\", \"dryRun\": true}";
    keep("POST /api/inbox/replay", server.post("/api/inbox/replay", range));
  }

  /** Of a tenant that has one run, so that no count depends on time. */
  private void retention(TestServer server) {
    String ann = server.tokenOf("shop");
    var start = server.request("/api/flows/hello/runs").header("Prefer", "wait=20");
    String run = as(server, ann, start.POST(BodyPublishers.ofString("{}"))).at("/id");
    keep("GET /api/retention", as(server, ann, server.request("/api/retention?days=31").GET()));
    Reply kept = as(server, ann, server.request("/api/retention/" + run).GET());
    assertThat(kept.at("/id")).isEqualTo(run);
    keep(
        "GET /api/retention/{id}",
        new Reply(
            kept.status(), Json.tree(kept.body().toString().replace(run, "r-x")), kept.raw()));
  }

  /** The key of the run is the id of the person here. */
  private void subjects(TestServer server) {
    String input = "{\"id\": \"C-42\", \"total\": 40.00}";
    String run = server.post("/api/flows/order/runs", input, "Prefer", "wait=20").at("/id");
    assertThat(run).startsWith("r-");
    String body = "{\"id\": \"C-42\"";
    keep("POST /api/subjects/plan", server.post("/api/subjects/plan", body + "}"));
    Reply export = server.post("/api/subjects/export", body + "}");
    assertThat(export.at("/records/1/type")).isEqualTo("effect");
    var records = (ArrayNode) export.body().path("records");
    ((ObjectNode) records.get(0).path("content")).remove(List.of("history", "waits"));
    keep("POST /api/subjects/export", export);
    Reply begun = server.post("/api/subjects/erase", body + ", \"reason\": \"ticket 4711\"}");
    keep("POST /api/subjects/erase", begun);
    String erasure = "/api/subjects/erasures/" + begun.at("/id");
    while (server.get(erasure).at("/endedAt").equals("null")) {
      LockSupport.parkNanos(2_000_000);
    }
    keep("GET /api/subjects/erasures/{id}", server.get(erasure));
    keep("GET /api/subjects/erasures", server.get("/api/subjects/erasures"));
    keep("GET /api/runs/{id} erased", server.get("/api/runs/" + run));
  }

  private void outbox(TestServer server) {
    server.publish("A-1001", Message.to("shop").type("order.paid").data(Map.of("id", "A-1001")));
    Reply page = server.get("/api/outbox?destination=shop&status=undelivered");
    keep("GET /api/outbox", page);
    String message = "/api/outbox/" + page.at("/items/0/id");
    keep("GET /api/outbox/{id}", server.get(message));
    keep("POST /api/outbox/{id}/redeliver", server.post(message + "/redeliver", ""));
  }

  private static Reply deliver(TestServer server, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    byte[] secret = "whsec".getBytes(StandardCharsets.UTF_8);
    return server.send(
        HttpRequest.newBuilder(URI.create(server.address() + "/hooks/shop/reports"))
            .header("Content-Type", "application/json")
            .header("X-Shop-Signature", HexFormat.of().formatHex(hmac(secret, bytes)))
            .POST(BodyPublishers.ofByteArray(bytes)));
  }

  private static byte[] hmac(byte[] secret, byte[] bytes) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return mac.doFinal(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void access(TestServer server) {
    String connection =
        "{\"http\": {\"base\": \"https://api.example.com\", \"auth\": {\"bearer\": \"psp\"}}}";
    keep("PUT /api/connections/{name}", server.put("/api/connections/psp", connection));
    keep("GET /api/connections/{name}", server.get("/api/connections/psp"));
    keep("GET /api/connections", server.get("/api/connections"));
    server.put("/api/connections/local", "{\"http\": {\"base\": \"http://127.0.0.1:9\"}}");
    keep("POST /api/connections/{name}/test", server.post("/api/connections/local/test", ""));
    keep("POST /api/tenants", server.post("/api/tenants", "{\"name\": \"acme\"}"));
    keep("GET /api/tenants", server.get("/api/tenants"));
    Reply first = server.post("/api/tenants/acme/tokens", "");
    keep("POST /api/tenants/{name}/tokens", first);
    String acme = first.at("/token");
    keep("GET /api/tokens", as(server, acme, server.request("/api/tokens").GET()));
    String wish =
        "{\"name\": \"ci\", \"scopes\": [\"runs:read\"], \"expiresIn\": \"90d\", \"flows\":"
            + " [\"order\"], \"labels\": [\"sales\"]}";
    Reply made =
        as(server, acme, server.request("/api/tokens").POST(BodyPublishers.ofString(wish)));
    keep("POST /api/tokens", made);
    HttpRequest.Builder login = server.request("/api/session").POST(BodyPublishers.noBody());
    keep("POST /api/session", as(server, made.at("/token"), login));
    keep("GET /api/session", as(server, made.at("/token"), server.request("/api/session").GET()));
    String one = "/api/tokens/" + made.at("/id");
    keep("DELETE /api/tokens/{id}", as(server, acme, server.request(one).DELETE()));
    keep("GET /api/audit", as(server, acme, server.request("/api/audit?limit=1").GET()));
    keep(
        "GET /api/audit/verification",
        as(server, acme, server.request("/api/audit/verification").GET()));
    Reply checkpoint = as(server, acme, server.request("/api/audit/checkpoint").GET());
    keep("GET /api/audit/checkpoint", checkpoint);
    keep(
        "POST /api/audit/verification",
        as(
            server,
            acme,
            server
                .request("/api/audit/verification")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.write(checkpoint.body())))));
    keep("GET /api/token-keys", server.get("/api/token-keys"));
    keep("POST /api/token-keys", server.post("/api/token-keys", "{\"revoke\": true}"));
    String why = "{\"reason\": \"unpaid since May\"}";
    keep("POST /api/tenants/{name}/suspend", server.post("/api/tenants/acme/suspend", why));
    keep("GET /api/tenants/{name}", server.get("/api/tenants/acme"));
    keep("POST /api/tenants/{name}/resume", server.post("/api/tenants/acme/resume", "{}"));
    String former = "/api/tenants/former";
    server.post("/api/tenants", "{\"name\": \"former\"}");
    String limits = "{\"runsPerDay\": 1000, \"storeBytes\": 2000000000, \"callsAtOnce\": 50}";
    keep("PUT /api/tenants/{name}/quotas", server.put(former + "/quotas", limits));
    keep("GET /api/tenants/{name}/quotas", server.get(former + "/quotas"));
    server.post(former + "/suspend", why);
    keep("GET /api/tenants/{name}/deletion", server.get(former + "/deletion"));
    String sure = "{\"confirm\": \"former\", \"reason\": \"contract ended\"}";
    keep("POST /api/tenants/{name}/deletion", server.post(former + "/deletion", sure));
    keep("POST /api/rekey", server.post("/api/rekey", ""));
    keep("POST /api/backups", server.post("/api/backups", "{\"name\": \"before\"}"));
  }

  private void deployments(TestServer server) {
    String folder =
        """
        {"environment": "prod", "approval": "other-person", "note": "the first one",
         "flows": [{"file": "flows/hello.yaml", "text": "flow: hello\\nsteps:\\n  - {id: a, set: {n: 1}}\\n"}],
         "connections": {"shop": {"http": {"base": "https://shop.example"}}}%s}
        """;
    String ann = server.tokenOf("shop");
    Reply plan = posted(server, ann, "/api/deployments/plan", folder.formatted(""));
    keep("POST /api/deployments/plan", plan);
    String wish = folder.formatted(", \"plan\": \"" + plan.at("/plan") + "\"");
    keep("POST /api/deployments", posted(server, ann, "/api/deployments", wish));
    keep("POST /api/deployments", posted(server, ann, "/api/deployments", wish));
    keep("GET /api/deployments", as(server, ann, server.request("/api/deployments").GET()));
    String second =
        posted(server, ann, "/api/tokens", "{\"name\": \"ben\", \"scopes\": [\"admin\"]}")
            .at("/token");
    keep(
        "POST /api/deployments/{number}/approve",
        posted(server, second, "/api/deployments/1/approve", ""));
    keep(
        "GET /api/deployments/{number}",
        as(server, ann, server.request("/api/deployments/1").GET()));
  }

  private static Reply posted(TestServer server, String token, String path, String body) {
    return as(server, token, server.request(path).POST(BodyPublishers.ofString(body)));
  }

  private static Reply as(TestServer server, String token, HttpRequest.Builder request) {
    return server.send(request.setHeader("Authorization", "Bearer " + token));
  }

  @Test
  void problems_are_as_they_were() throws IOException {
    try (var server = new TestServer(folder)) {
      String start = "/api/flows/order/runs";
      server.post(start, "{\"id\": \"A-1\", \"total\": 40.00}", "Prefer", "wait=20");
      keep("key-reused", server.post(start, "{\"id\": \"A-1\", \"total\": 45.00}"));
      keep("key-mismatch", server.post(start, "{\"id\": \"A-2\"}", "Idempotency-Key", "A-3"));
      keep("invalid-input", server.post(start, "{\"total\": \"40\"}"));
      keep("invalid-input json", server.post(start, "{\"id\": \"A\", \"id\": \"B\"}"));
      keep("not-found flow", server.post("/api/flows/nothing/runs", "{}"));
      keep("not-found run", server.get("/api/runs/r-aaaaaaaaaaaaaaaaaaaaaaaaaa"));
      keep("not-found path", server.get("/api/nothing"));
      String run =
          "/api/runs/" + server.post(start, "{\"id\": \"A-1\", \"total\": 40.00}").at("/id");
      keep("not-possible", server.post(run + "/retry", "{}"));
      server.post("/api/flows/one-at-a-time/runs", "{\"id\": \"1\"}");
      keep("concurrency-limit", server.post("/api/flows/one-at-a-time/runs", "{\"id\": \"2\"}"));
      server.put("/api/tenants/default/quotas", "{\"runsPerDay\": 1}");
      keep("quota-exceeded", server.post(start, "{\"id\": \"A-9\", \"total\": 1.00}"));
      server.put("/api/tenants/default/quotas", "{}");
      server.put("/api/kv/k", "{\"value\": 1}");
      keep("stale", server.put("/api/kv/k", "{\"value\": 2, \"version\": 0}"));
      keep("too-large", server.post(start, "x".repeat((1 << 20) + 1)));
      keep(
          "unsupported-media-type",
          server.send(
              server
                  .request(start)
                  .setHeader("Content-Type", "text/plain")
                  .POST(BodyPublishers.ofString("x"))));
      keep("method-not-allowed", server.delete("/api/runs"));
      draft(server, REPORT.replace("- {id: note", "- {id: 1note"));
      keep("findings", server.post("/api/flows/report/releases", "{}"));
      keep(
          "stale draft",
          server.send(
              server
                  .request("/api/flows/report/draft")
                  .setHeader("Content-Type", "application/yaml")
                  .setHeader("If-Match", "\"0\"")
                  .PUT(BodyPublishers.ofString(REPORT))));
      keep("not-found release", server.put("/api/flows/report/live", "{\"release\": 7}"));
      keep("not-found event", server.get("/api/inbox/i-1"));
      keep("invalid-input connection", server.put("/api/connections/psp", "{\"htp\": {}}"));
      String wish = "{\"name\": \"ci\", \"scopes\": [\"runs:read\"], \"perSecond\": 1}";
      String narrow = server.post("/api/tokens", wish).at("/token");
      Reply refused = as(server, narrow, server.request("/api/tokens").GET());
      keep("forbidden", refused);
      while (refused.status() != 429) {
        refused = as(server, narrow, server.request("/api/runs").GET());
      }
      keep("rate-limited", refused);
      keep(
          "unauthorized",
          server.send(HttpRequest.newBuilder(URI.create(server.address() + "/api/runs"))));
    }

    compare("src/test/resources/dev/hapax/app/golden/problems.json");
  }

  private void keep(String what, Reply reply) {
    String stable =
        reply
            .body()
            .toString()
            .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "2026-11-15T10:00:00Z")
            .replaceAll("\"day\":\"[0-9-]+\"", "\"day\":\"2026-12-15\"")
            .replaceAll("\"(e|w)-[0-9a-z]+\"", "\"$1-1\"")
            .replaceAll("approvals/w-[0-9a-z]+\\.[0-9a-z]+", "approvals/w-1.token")
            .replaceAll("\"date\":\"[^\"]*\"", "\"date\":\"Sun, 15 Nov 2026 10:00:00 GMT\"")
            .replaceAll("\"duplicates\":\\d+", "\"duplicates\":0")
            .replaceAll("version\":\\d+", "version\":1")
            .replaceAll("version \\d+", "version 1")
            .replaceAll("\"j-[0-9a-z]+\"", "\"j-1\"")
            .replaceAll(
                "\"items\":21},\"done\":\\d+,\"failed\":0,\"skipped\":0,\"open\":\\d+",
                "\"items\":21},\"done\":5,\"failed\":0,\"skipped\":0,\"open\":16")
            .replaceAll("\"i-[0-9a-z]+\"", "\"i-1\"")
            .replaceAll("\"x-[0-9a-z]+\"", "\"x-1\"")
            .replaceAll(
                "(\"endedAt\":[^,]*,\"runs\":\\d+),\"run\":\"r-[a-z2-7]+\"", "$1,\"run\":\"r-x\"")
            .replaceAll("\"etag\":\"[^,]*\"", "\"etag\":\"\\\\\"1\\\\\"\"")
            .replaceAll("hapax_[0-9a-zA-Z_]+", "hapax_token")
            .replaceAll("\"(plan|folder)\":\"[0-9a-f]{64}\"", "\"$1\":\"5c1d\"")
            .replaceAll("\"usedAt\":(null|\"[^\"]*\")", "\"usedAt\":null")
            .replaceAll("\"(mark|previous|last)\":\"[0-9a-f]+\"", "\"$1\":\"5c1d\"")
            .replaceAll("token:[a-z2-7]{13}", "token:kcuhacjon7sta")
            .replaceAll("\"(key|signature)\":\"[A-Za-z0-9+/]{43,}=*\"", "\"$1\":\"MCow…\"")
            .replaceAll("\"csrf\":\"[^\"]+\"", "\"csrf\":\"3mW0\"")
            .replaceAll("\"id\":\"[a-z2-7]{13}\"", "\"id\":\"kcuhacjon7sta\"")
            .replaceAll("\"id\":\"[a-z2-7]{32}\"", "\"id\":\"2xk4\"")
            .replaceAll(
                "(\"delivered\":true|\"state\":\"succeeded\",\"at\":\"[^\"]*\"),\"run\":\"r-[a-z2-7]+\"",
                "$1,\"run\":\"r-x\"")
            .replaceAll(
                "\"headers\":\\{[^}]*}", "\"headers\":{\"content-type\":\"application/json\"}")
            .replaceAll("\"store\":\"-?[0-9a-z]+\"", "\"store\":\"1fz2o389i6tyr\"")
            .replaceAll("geSeconds\":\\d+", "geSeconds\":0")
            .replaceAll("\"bytes\":\\d{5,}", "\"bytes\":40960")
            .replace(folder.toString(), "/var/lib/hapax");
    seen.put(what + " " + reply.status(), Json.tree(stable));
  }

  private void compare(String name) throws IOException {
    Path file = Path.of(System.getProperty("basedir", "app")).resolve(name);
    if (WRITE) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, PRETTY.writeValueAsString(seen) + "\n");
    }
    JsonNode kept = Json.tree(Files.readString(file));
    assertThat(seen.keySet()).isEqualTo(Set.copyOf(kept.propertyNames()));
    seen.forEach((what, answer) -> assertThat(answer).as(what).isEqualTo(kept.get(what)));
  }

  @Test
  void the_document_lists_every_route_and_nothing_else() throws IOException {
    try (var server = new TestServer(folder)) {
      JsonNode document = server.get("/openapi.json").body();
      Set<String> told = new HashSet<>();
      Set<String> ids = new HashSet<>();
      for (var path : document.get("paths").properties()) {
        for (var operation : path.getValue().properties()) {
          told.add(operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey());
          assertThat(ids.add(operation.getValue().get("operationId").stringValue())).isTrue();
        }
      }
      Set<String> routed = new HashSet<>();
      server.routes().forEach(route -> routed.add(route.toString().replace("{+", "{")));

      assertThat(told).isEqualTo(routed);
    }
  }

  @Test
  void every_answer_of_the_document_has_an_example_that_fits_its_schema() throws IOException {
    try (var server = new TestServer(folder)) {
      JsonNode document = server.get("/openapi.json").body();
      for (JsonNode answers : document.findValues("responses")) {
        for (JsonNode content : answers.findValues("application/json")) {
          JsonNode example = content.get("example");
          var schema = (ObjectNode) content.get("schema").deepCopy();
          if (!schema.isEmpty() && (example != null || !isRun(schema))) {
            assertThat(example).as("an example of %s", schema).isNotNull();
            schema.set("components", document.get("components"));
            assertThat(JsonSchema.of(schema).problems(Json.read(example.toString(), Object.class)))
                .as("%s", example)
                .isEmpty();
          }
        }
      }
    }
  }

  /** The status of a run just after a cancel or a settlement by hand depends on timing. */
  private static boolean isRun(ObjectNode schema) {
    return schema.path("$ref").asString("").endsWith("/Run");
  }
}
