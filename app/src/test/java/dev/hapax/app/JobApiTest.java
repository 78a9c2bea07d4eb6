package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** People act on many runs, effects and events at once, over HTTP. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JobApiTest {
  private static final String BILL =
      """
      flow: bill
      labels: [money]
      key: ${input.id}
      steps:
        - id: charge
          call: {handler: charge, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          sample: {charged: sample}
      """;

  private static final String RETRY_ORDERS =
      "{\"kind\": \"retry\", \"filter\": {\"flow\": \"order\", \"error\": \"card-refused\"}%s}";

  @TempDir private Path folder;

  private static String failed(TestServer server, String flow, String id) {
    server.mood(id, "refused");
    Reply run =
        server.post(
            "/api/flows/" + flow + "/runs", "{\"id\": \"" + id + "\"}", "Prefer", "wait=20");
    assertThat(run.at("/status")).isEqualTo("failed");
    return run.at("/id");
  }

  private static Reply await(TestServer server, String job, String state) {
    Reply reply = server.get("/api/jobs/" + job);
    while (!reply.at("/state").equals(state)) {
      assertThat(reply.at("/state")).as("of %s", job).isIn("planning", "running");
      LockSupport.parkNanos(5_000_000);
      reply = server.get("/api/jobs/" + job);
    }
    return reply;
  }

  private static String begun(TestServer server, String body, String... headers) {
    Reply reply = server.post("/api/jobs", body, headers);
    assertThat(reply.status()).as(String.valueOf(reply.body())).isEqualTo(202);
    assertThat(reply.header("Location")).isEqualTo("/api/jobs/" + reply.at("/id"));
    return reply.at("/id");
  }

  private static List<String> subjects(Reply job) {
    List<String> subjects = new ArrayList<>();
    job.body().path("results").forEach(item -> subjects.add(item.path("subject").asString()));
    return subjects;
  }

  @Test
  void a_list_of_one_kind_reads_past_the_jobs_of_other_kinds() throws Exception {
    String plan = "{\"kind\": \"%s\", \"filter\": {\"flow\": \"order\"}, \"plan\": true}";
    try (var server = new TestServer(folder)) {
      String cancel = server.post("/api/jobs", plan.formatted("cancel")).at("/id");
      for (int i = 0; i < 5; i++) {
        server.post("/api/jobs", plan.formatted("retry"));
      }

      Reply found = server.get("/api/jobs?kind=cancel&limit=2");

      assertThat(found.body().path("items")).hasSize(1);
      assertThat(found.at("/items/0/id")).isEqualTo(cancel);
      assertThat(server.get("/api/jobs?kind=retry&limit=3").body().path("items")).hasSize(3);
      assertThat(server.get("/api/jobs?kind=none").body().path("items")).isEmpty();
    }
  }

  @Test
  void a_plan_is_shown_applied_and_leaves_results_that_can_be_read_and_filtered() throws Exception {
    try (var server = new TestServer(folder)) {
      String first = failed(server, "order", "A-1");
      String second = failed(server, "order", "A-2");
      String plan = begun(server, RETRY_ORDERS.formatted(", \"plan\": true"));
      Reply planned = await(server, plan, "planned");
      assertThat(planned.at("/totals/items")).isEqualTo("2");
      assertThat(subjects(planned)).containsExactly(second, first);
      assertThat(server.get("/api/runs/" + first).at("/status")).isEqualTo("failed");
      String later = failed(server, "order", "A-3");
      server.mood("A-1", "fine");
      server.post("/api/runs/" + first + "/retry", "{}", "Prefer", "wait=20");

      Reply applied = server.post("/api/jobs", "{\"apply\": \"" + plan + "\", \"rate\": 50}");
      assertThat(applied.status()).isEqualTo(202);
      Reply done = await(server, plan, "done");

      assertThat(done.at("/rate")).isEqualTo("50");
      assertThat(done.at("/done")).isEqualTo("1");
      assertThat(done.at("/skipped")).isEqualTo("1");
      assertThat(done.at("/open")).isEqualTo("0");
      Reply skipped = server.get("/api/jobs/" + plan + "?result=skipped");
      assertThat(subjects(skipped)).containsExactly(first);
      assertThat(skipped.at("/results/0/problem")).contains("is succeeded");
      Reply page = server.get("/api/jobs/" + plan + "?limit=1");
      assertThat(subjects(page)).containsExactly(second);
      assertThat(subjects(server.get("/api/jobs/" + plan + "?limit=1&after=" + page.at("/next"))))
          .containsExactly(first);
      assertThat(server.get("/api/runs/" + later).at("/status")).isEqualTo("failed");
      assertThat(server.get("/api/jobs").at("/items/0/id")).isEqualTo(plan);
      assertThat(server.get("/api/audit").body().toString()).contains("POST /api/jobs");
      assertThat(server.get("/api/runs/" + second + "/history").body().toString())
          .contains("job " + plan);
    }
  }

  @Test
  void a_job_is_paused_resumed_and_canceled() throws Exception {
    try (var server = new TestServer(folder)) {
      for (int i = 0; i < 5; i++) {
        failed(server, "order", "A-" + i);
      }
      String job = begun(server, RETRY_ORDERS.formatted(", \"rate\": 1"));

      Reply paused = server.post("/api/jobs/" + job + "/pause", "{}");
      assertThat(paused.at("/state")).isEqualTo("paused");
      assertThat(server.post("/api/jobs/" + job + "/resume", "{\"rate\": 2}").at("/rate"))
          .isEqualTo("2");
      assertThat(server.post("/api/jobs/" + job + "/cancel", "{}").at("/state"))
          .isEqualTo("canceled");
      Reply refused = server.post("/api/jobs/" + job + "/resume", "{}");

      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.at("/detail")).contains("is canceled and cannot be resumed");
    }
  }

  @Test
  void a_job_goes_on_when_the_server_is_started_again() throws Exception {
    String job;
    try (var server = new TestServer(folder)) {
      for (int i = 0; i < 4; i++) {
        failed(server, "order", "A-" + i);
      }
      job = begun(server, RETRY_ORDERS.formatted(", \"rate\": 2"));
      while (server.get("/api/jobs/" + job).at("/done").equals("0")) {
        LockSupport.parkNanos(5_000_000);
      }
    }
    try (var server = new TestServer(folder)) {
      Reply done = await(server, job, "done");

      // An item that was under way when the server stopped may have been retried before its result
      // was written.
      int interrupted = done.body().path("skipped").asInt();
      assertThat(done.body().path("done").asInt() + interrupted).as("%s", done).isEqualTo(4);
      assertThat(interrupted).isLessThanOrEqualTo(1);
      assertThat(done.at("/open")).isEqualTo("0");
      server
          .get("/api/jobs/" + job + "?result=skipped")
          .body()
          .path("results")
          .forEach(item -> assertThat(item.path("problem").asString()).contains("interrupted"));
    }
  }

  @Test
  void the_same_request_with_the_same_idempotency_key_is_one_job() throws Exception {
    try (var server = new TestServer(folder)) {
      failed(server, "order", "A-1");
      String body = RETRY_ORDERS.formatted("");

      String job = begun(server, body, "Idempotency-Key", "k-1");
      String again = begun(server, body, "Idempotency-Key", "k-1");
      Reply other =
          server.post(
              "/api/jobs",
              "{\"kind\": \"retry\", \"filter\": {\"all\": true}}",
              "Idempotency-Key",
              "k-1");

      assertThat(again).isEqualTo(job);
      assertThat(other.status()).isEqualTo(409);
      await(server, job, "done");
      assertThat(server.get("/api/jobs").body().path("items")).hasSize(1);
    }
  }

  @Test
  void effects_in_review_are_settled_together() throws Exception {
    try (var server = new TestServer(folder)) {
      for (String id : List.of("A-1", "A-2")) {
        server.mood(id, "lost");
        server.post("/api/flows/order/runs", "{\"id\": \"" + id + "\"}", "Prefer", "wait=20");
      }
      assertThat(server.get("/api/effects?state=review").body().path("items")).hasSize(2);

      String job =
          begun(
              server,
              """
              {"kind": "settle", "filter": {"flow": "order"}, "decision": "happened",
               "result": {"charged": "by hand"}, "reason": "seen at the bank"}
              """);
      Reply done = await(server, job, "done");

      assertThat(done.at("/done")).isEqualTo("2");
      assertThat(done.at("/results/0/detail/attempt")).isEqualTo("1");
      assertThat(server.get("/api/effects?state=review").body().path("items")).isEmpty();
    }
  }

  @Test
  void effects_are_settled_and_undone_together_and_only_as_the_person_saw_them() throws Exception {
    try (var server = new TestServer(folder)) {
      server.release(
          """
          flow: trip
          key: ${input.id}
          steps:
            - id: book
              call: {handler: charge, input: "${input.id}"}
              effect: {kind: create, key: "${input.id}", guard: none}
              compensate:
                call: {handler: charge, input: "undo-${input.id}"}
                effect: {kind: create, key: "${input.id}", guard: keyed}
              retry: {attempts: 1}
          """);
      List<String> effects = new ArrayList<>();
      for (String id : List.of("A-1", "A-2")) {
        server.mood(id, "lost");
        server.post("/api/flows/trip/runs", "{\"id\": \"" + id + "\"}", "Prefer", "wait=20");
        effects.add(server.get("/api/effects?key=" + id).at("/items/0/id"));
      }
      String settle =
          """
          {"kind": "settle", "filter": {"ids": ["%s", "%s"]}, "decision": "happened",
           "compensate": true, "reason": "the guest came elsewhere",
           "seen": {"%s": {"revision": 1, "attempt": 1}, "%s": {"revision": 1, "attempt": 7}}}
          """
              .formatted(effects.get(0), effects.get(1), effects.get(0), effects.get(1));

      Reply done = await(server, begun(server, settle), "done");

      assertThat(done.at("/done")).isEqualTo("1");
      assertThat(
              server
                  .get("/api/jobs/" + done.at("/id") + "?result=skipped")
                  .at("/results/0/problem"))
          .startsWith("stale: ");
      while (!server.get("/api/effects/" + effects.getFirst()).at("/state").equals("undone")) {
        LockSupport.parkNanos(5_000_000);
      }
      assertThat(server.get("/api/effects/" + effects.getLast()).at("/state")).isEqualTo("review");
    }
  }

  @Test
  void a_token_acts_on_many_as_on_one_and_sees_no_other_flow() throws Exception {
    try (var server = new TestServer(folder)) {
      server.release(BILL);
      String order = failed(server, "order", "A-1");
      String bill = failed(server, "bill", "B-1");
      server.mood("A-1", "fine");
      server.mood("B-1", "fine");
      String ofAll = begun(server, RETRY_ORDERS.formatted(", \"plan\": true"));
      String limited =
          token(
              server,
              "{\"name\":\"m\",\"scopes\":[\"runs:read\",\"runs:write\"],\"labels\":[\"money\"]}");
      String reader = token(server, "{\"name\":\"r\",\"scopes\":[\"runs:read\"]}");
      String everything = "{\"kind\": \"retry\", \"filter\": {\"all\": true}}";

      Reply asReader = as(server, reader, "POST", "/api/jobs", everything);
      Reply settles =
          as(
              server,
              limited,
              "POST",
              "/api/jobs",
              "{\"kind\": \"settle\", \"filter\": {\"all\": true}, \"decision\": \"abandon\", \"reason\": \"x\"}");
      Reply begun = as(server, limited, "POST", "/api/jobs", everything);
      Reply done = await(server, begun.at("/id"), "done");

      assertThat(asReader.status()).isEqualTo(403);
      assertThat(asReader.at("/detail")).contains("runs:write");
      assertThat(settles.status()).isEqualTo(403);
      assertThat(as(server, reader, "POST", "/api/jobs/" + ofAll + "/cancel", "{}").status())
          .isEqualTo(403);
      assertThat(subjects(done)).containsExactly(bill);
      assertThat(server.get("/api/runs/" + order).at("/status")).isEqualTo("failed");
      assertThat(as(server, limited, "GET", "/api/jobs/" + ofAll, null).status()).isEqualTo(404);
      assertThat(
              as(server, limited, "POST", "/api/jobs", "{\"apply\": \"" + ofAll + "\"}").status())
          .isEqualTo(404);
      Reply list = as(server, limited, "GET", "/api/jobs", null);
      assertThat(list.body().path("items")).hasSize(1);
      assertThat(list.at("/items/0/id")).isEqualTo(begun.at("/id"));
      String stranger = server.tokenOf("stranger");
      assertThat(as(server, stranger, "GET", "/api/jobs/" + ofAll, null).status()).isEqualTo(404);
      assertThat(as(server, stranger, "GET", "/api/jobs", null).body().path("items")).isEmpty();
    }
  }

  @Test
  void runs_are_deleted_early_by_an_admin_with_a_reason() throws Exception {
    try (var server = new TestServer(folder)) {
      String run = failed(server, "order", "A-1");
      String writer = token(server, "{\"name\":\"w\",\"scopes\":[\"runs:read\",\"runs:write\"]}");
      String delete =
          "{\"kind\": \"delete\", \"filter\": {\"flow\": \"order\"}, \"reason\": \"the customer left\"}";

      Reply asWriter = as(server, writer, "POST", "/api/jobs", delete);
      Reply unexplained =
          server.post("/api/jobs", "{\"kind\": \"delete\", \"filter\": {\"flow\": \"order\"}}");
      Reply done = await(server, begun(server, delete), "done");
      Reply again = server.post("/api/flows/order/runs", "{\"id\": \"A-1\"}", "Prefer", "wait=20");

      assertThat(asWriter.status()).isEqualTo(403);
      assertThat(asWriter.at("/detail")).contains("admin");
      assertThat(unexplained.status()).isEqualTo(400);
      assertThat(unexplained.at("/detail")).contains("reason: expected 1 to 10,000 characters");
      assertThat(done.at("/done")).isEqualTo("1");
      assertThat(server.get("/api/runs/" + run).status()).isEqualTo(410);
      assertThat(again.status()).isEqualTo(410);
      assertThat(again.at("/type")).contains("key-expired");
      assertThat(server.get("/api/audit").body().toString()).contains("POST /api/jobs");
    }
  }

  @Test
  void a_label_without_flows_selects_nothing_and_mistakes_are_refused() throws Exception {
    try (var server = new TestServer(folder)) {
      failed(server, "order", "A-1");

      String none = begun(server, "{\"kind\":\"retry\",\"filter\":{\"label\":\"money\"}}");
      assertThat(await(server, none, "done").at("/totals/items")).isEqualTo("0");

      assertThat(refusal(server, "{\"kind\":\"retry\"}")).contains("filter: expected at least one");
      assertThat(refusal(server, "{\"kind\":\"paint\",\"filter\":{\"all\":true}}"))
          .contains(
              "kind: expected one of cancel, delete, reconcile, redeliver, replay, retry, settle");
      assertThat(refusal(server, "{\"filter\":{\"all\":true}}")).contains("kind");
      assertThat(refusal(server, "{\"kind\":\"retry\",\"filter\":{\"flwo\":\"x\"}}"))
          .contains("flwo");
      assertThat(refusal(server, "{\"kind\":\"retry\",\"filter\":{\"since\":\"today\"}}"))
          .contains("since");
      assertThat(refusal(server, "{\"kind\":\"retry\",\"filter\":{\"all\":true},\"rate\":0}"))
          .contains("rate: expected 1 to 10,000");
      assertThat(refusal(server, "{\"apply\":\"j-1\",\"kind\":\"retry\"}"))
          .contains("a plan is applied as it is");
      assertThat(refusal(server, "{\"apply\":\"j-1\",\"compensate\":true}"))
          .contains("a plan is applied as it is");
      assertThat(
              refusal(server, "{\"kind\":\"retry\",\"filter\":{\"all\":true},\"compensate\":true}"))
          .contains("compensate is for jobs of kind 'cancel' and 'settle'");
      assertThat(
              refusal(
                  server,
                  "{\"kind\":\"cancel\",\"filter\":{\"all\":true},\"decision\":\"abandon\"}"))
          .contains("decision, result and seen are for jobs of kind 'settle'");
      assertThat(
              refusal(
                  server,
                  "{\"kind\":\"settle\",\"filter\":{\"ids\":[\"e-1\"]},\"decision\":\"abandon\","
                      + "\"reason\":\"x\",\"seen\":{\"e-1\":{\"revision\":1}}}"))
          .contains("seen: expected revision and attempt");
      assertThat(
              refusal(
                  server,
                  "{\"kind\":\"settle\",\"filter\":{\"all\":true},\"decision\":\"abandon\","
                      + "\"reason\":\"x\",\"compensate\":true}"))
          .contains("compensate: only what happened can be undone");
      assertThat(server.post("/api/jobs", "{\"apply\":\"j-none\"}").status()).isEqualTo(404);
      assertThat(server.get("/api/jobs?after=j-none").status()).isEqualTo(404);
      assertThat(server.get("/api/jobs/" + none + "?result=lost").status()).isEqualTo(400);
    }
  }

  private static String refusal(TestServer server, String body) {
    Reply reply = server.post("/api/jobs", body);
    assertThat(reply.status()).as(body).isEqualTo(400);
    return reply.at("/detail");
  }

  private static String token(TestServer server, String wish) {
    return server.post("/api/tokens", wish).at("/token");
  }

  private static Reply as(
      TestServer server, String token, String method, String path, @Nullable String body) {
    return server.send(
        server
            .request(path)
            .setHeader("Authorization", "Bearer " + token)
            .method(
                method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
  }
}
