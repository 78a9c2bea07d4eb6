package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reviews with their evidence, for the people who decide. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Order(1)
class ReviewDeskTest {
  private static final String[] WAIT = {"Prefer", "wait=20"};
  private static final String TRIP =
      """
      flow: trip
      runbook: Ask the travel desk.
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      steps:
        - id: hold
          call: {handler: charge, input: "hold-${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          compensate:
            call: {handler: charge, input: "undo-hold-${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
        - id: book
          call: {handler: charge, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: none}
          retry: {attempts: 1}
          runbook: Look the booking up by its number in the hotel's portal.
          compensate:
            call: {handler: charge, input: "undo-${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
      output: {booked: true}
      """;

  @TempDir Path folder;
  private TestServer server;

  @BeforeEach
  void open() throws IOException {
    server = new TestServer(folder);
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** Starts a run whose charge is lost, and returns its effect in review. */
  private String lost(String flow, String id) {
    server.mood(id, "lost");
    Reply run = server.post("/api/flows/" + flow + "/runs", "{\"id\": \"" + id + "\"}", WAIT);
    assertThat(run.at("/status")).isEqualTo("review");
    return server.get("/api/reviews?key=" + id).at("/items/0/id");
  }

  private void awaitStatus(String run, String status) {
    while (!server.get("/api/runs/" + run).at("/status").equals(status)) {
      LockSupport.parkNanos(2_000_000);
    }
  }

  @Test
  void a_review_shows_all_its_evidence() {
    server.release(TRIP);
    String effect = lost("trip", "T-1");

    Reply review = server.get("/api/reviews/" + effect);

    assertThat(review.at("/flow")).isEqualTo("trip");
    assertThat(review.at("/runKey")).isEqualTo("T-1");
    assertThat(review.at("/wireKey")).hasSize(32);
    assertThat(review.at("/request")).contains("T-1");
    assertThat(review.at("/evidence")).contains("connection reset");
    assertThat(review.at("/runbook"))
        .isEqualTo("Look the booking up by its number in the hotel's portal.");
    assertThat(review.at("/since")).startsWith("20");
    assertThat(review.at("/ageSeconds")).matches("\\d+");
    assertThat(review.at("/history/0/type")).isEqualTo("intent");
    assertThat(review.at("/history/1/type")).isEqualTo("review");
    assertThat(review.at("/others/0/step")).isEqualTo("hold");
    assertThat(review.at("/others/0/state")).isEqualTo("done");
  }

  @Test
  void a_step_without_a_runbook_shows_that_of_its_flow() {
    server.release(TRIP.replaceAll("(?m)^ +runbook:.*\n", ""));
    String effect = lost("trip", "T-1");

    assertThat(server.get("/api/reviews/" + effect).at("/runbook"))
        .isEqualTo("Ask the travel desk.");
  }

  @Test
  void reviews_are_grouped_by_their_cause() {
    String first = lost("order", "A-1");
    lost("order", "A-2");
    server.release(TRIP);
    lost("trip", "T-1");

    Reply causes = server.get("/api/reviews/causes");
    Reply ofFirst = server.get("/api/reviews?cause=" + causes.at("/items/0/cause"));

    assertThat(causes.at("/items/0/count")).isEqualTo("2");
    assertThat(causes.at("/items/0/flow")).isEqualTo("order");
    assertThat(causes.at("/items/0/step")).isEqualTo("charge");
    assertThat(causes.at("/items/0/error")).contains("connection reset");
    assertThat(causes.at("/items/1/flow")).isEqualTo("trip");
    assertThat(causes.at("/items/2")).isEmpty();
    assertThat(causes.at("/complete")).isEqualTo("true");
    assertThat(ofFirst.body().path("items")).hasSize(2);
    assertThat(ofFirst.at("/items/1/id")).isEqualTo(first);
  }

  @Test
  void a_job_settles_all_reviews_of_one_cause_and_no_other() {
    lost("order", "A-1");
    lost("order", "A-2");
    server.release(TRIP);
    lost("trip", "T-1");
    String cause = server.get("/api/reviews/causes").at("/items/0/cause");

    Reply begun =
        server.post(
            "/api/jobs",
            """
            {"kind": "settle", "filter": {"cause": "%s"}, "decision": "happened",
             "reason": "seen at the bank"}"""
                .formatted(cause));
    String job = "/api/jobs/" + begun.at("/id");
    while (!server.get(job).at("/state").equals("done")) {
      LockSupport.parkNanos(2_000_000); // each look takes a request's time
    }

    assertThat(begun.status()).as("%s", begun.body()).isEqualTo(202);
    assertThat(server.get(job).at("/done")).isEqualTo("2");
    assertThat(server.get("/api/reviews").body().path("items")).hasSize(1);
    assertThat(server.get("/api/reviews").at("/items/0/flow")).isEqualTo("trip");
  }

  @Test
  void a_page_of_reviews_goes_on_where_the_one_before_ended() {
    String first = lost("order", "A-1");
    String second = lost("order", "A-2");

    Reply page = server.get("/api/reviews?limit=1");
    Reply next = server.get("/api/reviews?limit=1&after=" + page.at("/next"));

    assertThat(page.at("/items/0/id")).isEqualTo(second);
    assertThat(next.at("/items/0/id")).isEqualTo(first);
    assertThat(next.body().path("next").isNull()).isTrue();
  }

  @Test
  void assignee_and_comments_survive_a_restart_and_are_audited() throws IOException {
    String review = "/api/reviews/" + lost("order", "A-1");
    server.post(review + "/assign", "{\"assignee\": \"ada\"}");
    server.post(review + "/comments", "{\"text\": \"asked <b>them</b>\"}");
    server.close();
    server = new TestServer(folder);

    Reply after = server.get(review);
    String audit = server.get("/api/audit?limit=200").body().toString();

    assertThat(after.at("/assignee")).isEqualTo("ada");
    assertThat(after.at("/comments/0/text")).isEqualTo("asked <b>them</b>");
    assertThat(after.at("/comments/0/by")).isEqualTo("admin");
    assertThat(after.at("/commentCount")).isEqualTo("1");
    assertThat(server.get("/api/reviews?assignee=ada").body().path("items")).hasSize(1);
    assertThat(server.get("/api/reviews?assignee=bob").body().path("items")).isEmpty();
    assertThat(audit).contains("POST /api/reviews/{id}/assign", "POST /api/reviews/{id}/comments");
  }

  @Test
  void comments_are_bounded_in_size_and_number() {
    String comments = "/api/reviews/" + lost("order", "A-1") + "/comments";

    assertThat(server.post(comments, "{\"text\": \"%s\"}".formatted("x".repeat(5_001))).status())
        .isEqualTo(400);
    assertThat(server.post(comments, "{\"text\": \" \"}").status()).isEqualTo(400);
    for (int i = 0; i < 100; i++) {
      assertThat(server.post(comments, "{\"text\": \"again\"}").status()).isEqualTo(200);
    }
    Reply tooMany = server.post(comments, "{\"text\": \"again\"}");

    assertThat(tooMany.status()).isEqualTo(409);
    assertThat(tooMany.at("/detail")).contains("100 comments");
  }

  @Test
  void many_reviews_are_settled_by_one_decision_and_a_changed_one_stops_none() {
    String first = lost("order", "A-1");
    String second = lost("order", "A-2");
    String third = lost("order", "A-3");
    server.post(
        "/api/effects/" + second + "/settle", "{\"decision\": \"abandon\", \"reason\": \"gone\"}");

    Reply settled =
        server.post(
            "/api/reviews/settle",
            """
            {"decision": "happened", "reason": "the bank shows them", "items": [
              {"effect": "%s", "revision": 1, "attempt": 1, "externalId": "ch_1"},
              {"effect": "%s", "revision": 1, "attempt": 1},
              {"effect": "%s", "revision": 1, "attempt": 2}]}
            """
                .formatted(first, second, third));

    assertThat(settled.status()).isEqualTo(200);
    assertThat(settled.at("/settled")).isEqualTo("1");
    assertThat(settled.at("/refused")).isEqualTo("2");
    assertThat(settled.at("/items/0/outcome")).isEqualTo("settled");
    assertThat(settled.at("/items/0/state")).isEqualTo("done");
    assertThat(settled.at("/items/1/outcome")).isEqualTo("stale");
    assertThat(settled.at("/items/1/state")).isEqualTo("abandoned");
    assertThat(settled.at("/items/2/outcome")).isEqualTo("stale");
    assertThat(settled.at("/items/2/state")).isEqualTo("review");
    assertThat(server.get("/api/effects/" + first).at("/externalId")).isEqualTo("ch_1");
    assertThat(server.get("/api/audit?limit=200").body().toString())
        .contains("id=" + first + ", decision=happened");
  }

  @Test
  void settling_many_needs_what_the_person_saw() {
    String effect = lost("order", "A-1");

    Reply unseen =
        server.post(
            "/api/reviews/settle",
            "{\"decision\": \"abandon\", \"reason\": \"x\", \"items\": [{\"effect\": \"%s\"}]}"
                .formatted(effect));

    assertThat(unseen.status()).isEqualTo(400);
    assertThat(server.get("/api/effects/" + effect).at("/state")).isEqualTo("review");
  }

  @Test
  void what_happened_is_undone_if_the_person_says_so() {
    server.release(TRIP);
    String effect = lost("trip", "T-1");
    String run = server.get("/api/effects/" + effect).at("/run");

    Reply refused =
        server.post(
            "/api/effects/" + effect + "/settle",
            "{\"decision\": \"abandon\", \"compensate\": true, \"reason\": \"x\"}");
    Reply settled =
        server.post(
            "/api/effects/" + effect + "/settle",
            "{\"decision\": \"happened\", \"compensate\": true, \"revision\": 1, \"attempt\": 1, \"reason\": \"not wanted\"}");
    awaitStatus(run, "compensated");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(settled.status()).isEqualTo(200);
    assertThat(server.get("/api/effects/" + effect).at("/state")).isEqualTo("undone");
    assertThat(server.get("/api/effects?name=trip/hold").at("/items/0/state")).isEqualTo("undone");
  }

  @Test
  void another_tenant_sees_and_settles_nothing() {
    String effect = lost("order", "A-1");
    String stranger = "Bearer " + server.tokenOf("stranger");
    var body =
        BodyPublishers.ofString(
            "{\"decision\": \"abandon\", \"reason\": \"x\", \"items\": [{\"effect\": \"%s\", \"revision\": 1, \"attempt\": 1}]}"
                .formatted(effect));

    Reply list = server.send(server.request("/api/reviews").setHeader("Authorization", stranger));
    Reply settled =
        server.send(
            server.request("/api/reviews/settle").setHeader("Authorization", stranger).POST(body));

    assertThat(list.body().path("items")).isEmpty();
    assertThat(settled.at("/items/0/outcome")).as("%s", settled).isEqualTo("not-found");
    assertThat(settled.body().at("/items/0/state").isMissingNode()).isTrue();
    assertThat(server.get("/api/effects/" + effect).at("/state")).isEqualTo("review");
  }
}
