package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs over HTTP, as the public contract has them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunApiTest {
  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void start() throws Exception {
    server = new TestServer(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static final String[] WAIT = {"Prefer", "wait=20"};

  private static Reply order(String id, String... headers) {
    return server.post("/api/flows/order/runs", "{\"id\": \"%s\"}".formatted(id), headers);
  }

  @Test
  void a_start_makes_a_run_and_the_second_one_gets_it() {
    Reply first = order("A-1", WAIT);
    Reply second = order("A-1", WAIT);

    assertThat(first.status()).isEqualTo(201);
    assertThat(first.header("Location")).isEqualTo("/api/runs/" + first.at("/id"));
    assertThat(first.header("Preference-Applied")).isEqualTo("wait=20");
    assertThat(first.at("/status")).isEqualTo("succeeded");
    assertThat(first.at("/output")).isEqualTo("{\"charged\":\"A-1\"}");
    assertThat(first.at("/input")).isEqualTo("{\"id\":\"A-1\"}");
    assertThat(first.at("/key")).isEqualTo("A-1");
    assertThat(first.body().propertyNames())
        .contains(
            "id",
            "flow",
            "release",
            "key",
            "status",
            "retryable",
            "input",
            "output",
            "error",
            "createdAt",
            "endedAt",
            "duplicates");
    assertThat(second.status()).isEqualTo(200);
    assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(second.at("/id")).isEqualTo(first.at("/id"));
    assertThat(server.get("/api/runs/" + first.at("/id")).at("/status")).isEqualTo("succeeded");
  }

  @Test
  void a_list_has_several_statuses_but_those_that_need_a_look_into_runs_stand_alone() {
    server.mood("ST-1", "refused");
    order("ST-1", WAIT);
    order("ST-2", WAIT);

    Reply both = server.get("/api/runs?keyPrefix=ST-&status=failed,succeeded");
    assertThat(both.raw().body()).contains("\"ST-1\"", "\"ST-2\"");
    Reply one = server.get("/api/runs?keyPrefix=ST-&status=canceled,failed");
    assertThat(one.raw().body()).contains("\"ST-1\"").doesNotContain("\"ST-2\"");
    for (String wrong : new String[] {"failed,review", "failed,retrying", "failed,", "failed,x"}) {
      assertThat(server.get("/api/runs?status=" + wrong).status()).as(wrong).isEqualTo(400);
    }
  }

  @Test
  void the_same_key_with_another_input_is_a_conflict_that_shows_the_first_run() {
    Reply first = order("A-2", WAIT);
    Reply other = server.post("/api/flows/order/runs", "{\"id\": \"A-2\", \"total\": 45}");

    assertThat(other.status()).isEqualTo(409);
    assertThat(other.at("/type")).endsWith("/key-reused");
    assertThat(other.at("/run/id")).isEqualTo(first.at("/id"));
    assertThat(other.at("/run/input")).isEqualTo("{\"id\":\"A-2\"}");
  }

  @Test
  void a_key_in_the_header_must_agree_with_the_flow() {
    Reply other = order("A-3", "Idempotency-Key", "A-4");

    assertThat(other.status()).isEqualTo(400);
    assertThat(other.at("/type")).endsWith("/key-mismatch");
    assertThat(order("A-3", "Idempotency-Key", "A-3").status()).isEqualTo(201);
  }

  @Test
  void a_flow_without_a_key_takes_it_from_the_header() {
    Reply first = server.post("/api/flows/free/runs", "{}", "Idempotency-Key", "k/1");
    Reply second = server.post("/api/flows/free/runs", "{}", "Idempotency-Key", "k/1");
    Reply alone = server.post("/api/flows/free/runs", "");

    assertThat(second.at("/id")).isEqualTo(first.at("/id"));
    assertThat(first.at("/key")).isEqualTo("k/1");
    assertThat(alone.status()).isEqualTo(201);
    assertThat(alone.at("/key")).hasSize(26);
  }

  @Test
  void what_cannot_be_started_is_refused() {
    assertProblem(server.post("/api/flows/nothing/runs", "{}"), 404, "not-found");
    Reply bad = server.post("/api/flows/order/runs", "{\"id\": 7}");
    assertProblem(bad, 400, "invalid-input");
    assertThat(bad.at("/problems")).contains("id");
    assertProblem(server.post("/api/flows/order/runs", "null"), 400, "invalid-input");
    Reply keyless = server.post("/api/flows/ask/runs", "{}");
    assertProblem(keyless, 400, "invalid-input");
    assertThat(keyless.at("/detail")).contains("${input.id} has no value");
    assertProblem(order("A-5", "Prefer", "wait=soon"), 400, "invalid-input");
    assertProblem(order("A-5", "Idempotency-Key", " "), 400, "invalid-input");
  }

  @Test
  void a_full_flow_refuses_and_leaves_the_key_unused() {
    Reply first = server.post("/api/flows/one-at-a-time/runs", "{\"id\": \"1\"}");
    Reply second = server.post("/api/flows/one-at-a-time/runs", "{\"id\": \"2\"}");

    assertThat(first.status()).isEqualTo(201);
    assertProblem(second, 429, "concurrency-limit");
    assertThat(second.header("Retry-After")).isNotNull();
    Reply canceled =
        server.post("/api/runs/" + first.at("/id") + "/cancel", "{\"reason\": \"test\"}");
    assertThat(canceled.at("/status")).isIn("canceling", "canceled");
    awaitStatus(first.at("/id"), "canceled");
    assertProblem(server.post("/api/runs/" + first.at("/id") + "/cancel", ""), 409, "not-possible");
  }

  @Test
  void a_failed_run_is_retried_with_what_failed() {
    server.moods.put("F-1", "refused");
    Reply failed = order("F-1", WAIT);

    assertThat(failed.at("/status")).isEqualTo("failed");
    assertThat(failed.at("/error/step")).isEqualTo("charge");
    assertThat(failed.at("/error/code")).isNotEmpty();
    server.moods.remove("F-1");
    Reply other =
        server.post("/api/runs/" + failed.at("/id") + "/retry", "{\"input\": {\"id\": \"X\"}}");
    assertProblem(other, 400, "key-mismatch");
    Reply retried =
        server.post(
            "/api/runs/" + failed.at("/id") + "/retry",
            "{\"input\": {\"id\": \"F-1\", \"total\": 3}}",
            WAIT);
    assertThat(retried.at("/status")).isEqualTo("succeeded");
    assertThat(retried.at("/input/total")).isEqualTo("3");
    assertProblem(server.post("/api/runs/" + failed.at("/id") + "/retry", ""), 409, "not-possible");
  }

  @Test
  void a_failed_step_is_settled_by_hand() {
    server.moods.put("F-2", "refused");
    String id = order("F-2", WAIT).at("/id");

    Reply without = server.post("/api/runs/" + id + "/steps/charge/settle", "{\"output\": {}}");
    Reply settled =
        server.post(
            "/api/runs/" + id + "/steps/charge/settle",
            "{\"output\": {\"charged\": \"by hand\"}, \"reason\": \"called them\"}");

    assertProblem(without, 400, "invalid-input");
    assertThat(settled.status()).isEqualTo(200);
    awaitStatus(id, "succeeded");
    assertThat(server.get("/api/runs/" + id).at("/output")).contains("by hand");
  }

  @Test
  void an_effect_in_review_is_settled_by_a_person() {
    server.moods.put("R-1", "lost");
    Reply review = order("R-1", WAIT);
    assertThat(review.at("/status")).isEqualTo("review");

    Reply list = server.get("/api/effects?state=review&name=order/charge&key=R-1");
    String id = list.at("/items/0/id");
    assertThat(list.at("/items/0/run")).isEqualTo(review.at("/id"));
    assertThat(list.at("/items/0/guard")).isEqualTo("none");
    assertThat(server.get("/api/effects/" + id).at("/state")).isEqualTo("review");
    String path = "/api/effects/" + id + "/settle";
    assertProblem(
        server.post(path, "{\"decision\": \"maybe\", \"reason\": \"x\"}"), 400, "invalid-input");
    assertProblem(
        server.post(
            path,
            "{\"decision\": \"happened\", \"revision\": 1, \"attempt\": 2, \"reason\": \"x\"}"),
        409,
        "stale");
    Reply settled =
        server.post(
            path,
            """
            {"decision": "happened", "revision": 1, "attempt": 1, "externalId": "ch_1", "result": {"charged": "seen"}, "reason": "looked it up"}
            """);
    assertThat(settled.at("/state")).isEqualTo("done");
    assertThat(settled.at("/externalId")).isEqualTo("ch_1");
    awaitStatus(review.at("/id"), "succeeded");
    assertProblem(
        server.post(path, "{\"decision\": \"abandon\", \"reason\": \"x\"}"), 409, "not-possible");
    Reply history = server.get("/api/runs/" + review.at("/id") + "/history");
    assertThat(history.at("/items")).contains("\"type\":\"settled\"", "looked it up", "wireKey");
    assertProblem(server.get("/api/effects/e-zzz"), 404, "not-found");
    assertProblem(server.get("/api/effects/nonsense"), 404, "not-found");
  }

  @Test
  void lists_have_pages_and_filters() {
    for (int i = 0; i < 5; i++) {
      server.post("/api/flows/free/runs", "{}", "Idempotency-Key", "page-" + i);
    }
    Set<String> seen = new HashSet<>();
    String path = "/api/runs?flow=free&limit=2";
    String next = "";
    while (!next.equals("null")) {
      Reply page = server.get(path + next);
      for (JsonNode run : page.body().get("items")) {
        assertThat(seen.add(run.get("id").stringValue())).isTrue();
        assertThat(run.get("flow").stringValue()).isEqualTo("free");
      }
      next = page.at("/next").equals("null") ? "null" : "&after=" + page.at("/next");
    }
    assertThat(seen).hasSizeGreaterThanOrEqualTo(5);
    assertThat(server.get("/api/runs?flow=free&key=page-3").body().get("items")).hasSize(1);
    assertThat(server.get("/api/runs?since=2999-01-01T00:00:00Z").body().get("items")).isEmpty();
    assertThat(server.get("/api/runs?until=2001-01-01T00:00:00Z").body().get("items")).isEmpty();
    assertThat(server.get("/api/runs?until=0001-01-01T00:00:00Z").body().get("items")).isEmpty();
    assertThat(server.get("/api/runs?until=9999-01-01T00:00:00Z").body().get("items")).isNotEmpty();
    assertProblem(server.get("/api/runs?status=happy"), 400, "invalid-input");
    assertProblem(server.get("/api/runs?after=nonsense"), 400, "invalid-input");
    assertProblem(server.get("/api/runs?limit=1000"), 400, "invalid-input");
    assertProblem(server.get("/api/runs?flw=free"), 400, "invalid-input");
    assertProblem(server.get("/api/runs/nonsense"), 404, "not-found");
    assertProblem(server.get("/api/runs/r-00000000000000000000000000"), 404, "not-found");
  }

  @Test
  void runs_that_try_something_again_are_found() {
    server.release(
        """
        flow: patient
        key: ${input.id}
        steps:
          - id: charge
            call: {handler: charge, input: "${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
            retry: {attempts: 9, delay: 4m}
        """);
    server.moods.put("P-1", "busy");
    String path = "/api/runs?status=retrying&flow=patient";
    assertThat(server.get(path).body().get("items")).isEmpty();

    String id = server.post("/api/flows/patient/runs", "{\"id\": \"P-1\"}").at("/id");
    server.post("/api/flows/patient/runs", "{\"id\": \"P-2\"}", WAIT);
    while (server.get(path).body().get("items").isEmpty()) {
      LockSupport.parkNanos(20_000_000); // the test's own time limit ends this
    }
    Reply page = server.get(path);
    assertThat(page.body().get("items")).hasSize(1);
    assertThat(page.at("/items/0/id")).isEqualTo(id);
    assertThat(page.at("/next")).isEqualTo("null");

    server.post("/api/runs/" + id + "/cancel", "{\"reason\": \"enough\"}");
    while (!server.get(path).body().get("items").isEmpty()) {
      LockSupport.parkNanos(20_000_000);
    }
  }

  @Test
  void a_history_has_the_fields_of_the_contract() {
    String id = order("H-1", WAIT).at("/id");
    Reply history = server.get("/api/runs/" + id + "/history");

    JsonNode items = history.body().get("items");
    assertThat(items.get(0).get("type").stringValue()).isEqualTo("accepted");
    assertThat(items.get(0).get("seq").longValue()).isEqualTo(1);
    assertThat(history.at("/items/0/key")).isEqualTo("H-1");
    assertThat(history.at("/items")).contains("\"type\":\"done\"", "\"charged\":\"H-1\"");
    Reply one = server.get("/api/runs/" + id + "/history?limit=1");
    Reply rest = server.get("/api/runs/" + id + "/history?after=" + one.at("/next"));
    assertThat(rest.body().get("items")).hasSize(items.size() - 1);
  }

  @Test
  void a_forgotten_key_can_be_started_again() {
    String first = order("K/1", WAIT).at("/id");

    assertProblem(server.delete("/api/flows/order/keys/K/1"), 400, "invalid-input");
    assertThat(server.delete("/api/flows/order/keys/K%2F1?reason=test").status()).isEqualTo(204);
    Reply again = order("K/1", WAIT);
    assertThat(again.status()).isEqualTo(201);
    assertThat(again.at("/id")).isNotEqualTo(first);
    assertProblem(server.delete("/api/flows/order/keys/none?reason=test"), 404, "not-found");
  }

  private static void awaitStatus(String run, String status) {
    Reply reply = server.get("/api/runs/" + run);
    for (int tries = 0; tries < 500 && !reply.at("/status").equals(status); tries++) {
      LockSupport.parkNanos(2_000_000);
      reply = server.get("/api/runs/" + run);
    }
    assertThat(reply.at("/status")).isEqualTo(status);
  }

  static void assertProblem(Reply reply, int status, String name) {
    assertThat(reply.raw().body()).contains("\"type\":\"https://hapax.dev/problems/" + name + "\"");
    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
  }
}
