package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replays over HTTP: a plan of what would be sent, and then exactly that. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplayApiTest {
  private static final String[] WAIT = {"Prefer", "wait=20"};

  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void start() throws Exception {
    server = new TestServer(folder);
    server.release(
        """
        flow: parcel
        key: ${input.id}
        steps:
          - id: first
            call: {handler: charge, input: "${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
          - id: second
            call: {handler: charge, input: "${steps.first.output.charged}"}
            effect: {kind: create, key: "${input.id}-2", guard: keyed}
          - id: third
            call: {handler: charge, input: "third-${input.id}"}
            effect: {kind: create, key: "${input.id}-3", guard: keyed}
        """);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Reply plan(String run, String more) {
    return server.post(
        "/api/replays", "{\"runs\": [\"%s\"], \"plan\": true%s}".formatted(run, more));
  }

  private static Reply apply(Reply plan) {
    return server.post(
        "/api/replays", "{\"apply\": \"%s\", \"reason\": \"a test\"}".formatted(plan.at("/plan")));
  }

  @Test
  void a_plan_of_a_failed_run_names_what_depends_on_answers_and_is_carried_out_once() {
    server.mood("P-1", "refused");
    Reply failed = server.post("/api/flows/parcel/runs", "{\"id\": \"P-1\"}", WAIT);
    assertThat(failed.at("/status")).isEqualTo("failed");
    server.mood("P-1", "fine");

    Reply plan = plan(failed.at("/id"), ", \"fromStep\": \"first\"");

    assertThat(plan.status()).as(plan.body().toString()).isEqualTo(200);
    assertThat(plan.at("/totals/send")).isEqualTo("3");
    assertThat(plan.at("/items/0/step")).isEqualTo("first");
    assertThat(plan.at("/items/0/key")).isEqualTo("P-1");
    assertThat(plan.at("/items/0/revision")).isEqualTo("2");
    assertThat(plan.at("/items/1/request")).isEqualTo("null");
    assertThat(plan.at("/items/1/dependsOn")).isEqualTo("[\"first\"]");
    assertThat(plan.at("/items/2/step")).isEqualTo("third");
    assertThat(server.get("/api/replays/" + plan.at("/plan")).body()).isEqualTo(plan.body());

    Reply twin = plan(failed.at("/id"), ", \"fromStep\": \"first\"");
    Reply job = apply(plan);

    assertThat(job.status()).isEqualTo(202);
    assertThat(job.at("/id")).isEqualTo(plan.at("/plan"));
    assertThat(job.at("/kind")).isEqualTo("replay");
    Reply done = awaitJob(job.at("/id"), "done");
    assertThat(done.at("/done")).isEqualTo("1");
    assertThat(done.at("/results/0/detail/totals/send")).isEqualTo("3");
    await(failed.at("/id"), "succeeded");
    assertThat(apply(plan).at("/state")).as("applied again").isEqualTo("done");
    Reply stale = apply(twin);
    assertThat(stale.status()).isEqualTo(409);
    assertThat(stale.at("/type")).endsWith("/stale");
    assertThat(stale.at("/detail")).contains("step 'first'", "was send and is reuse now");
    assertThat(server.get("/api/runs/" + failed.at("/id") + "/history").body().toString())
        .contains("\"replayed\"", "from step 'first'");
  }

  @Test
  void an_effect_is_sent_again_only_by_its_name_with_a_reason() {
    Reply run = server.post("/api/flows/parcel/runs", "{\"id\": \"P-2\"}", WAIT);
    String effect = server.get("/api/effects?run=" + run.at("/id")).at("/items/0/id");

    Reply without = plan(run.at("/id"), ", \"force\": [{\"effect\": \"%s\"}]".formatted(effect));
    Reply forced =
        plan(
            run.at("/id"),
            ", \"force\": [{\"effect\": \"%s\", \"reason\": \"lost\"}]".formatted(effect));

    assertThat(without.status()).isEqualTo(400);
    assertThat(forced.at("/totals/send")).isNotEqualTo("0");
    assertThat(plan(run.at("/id"), "").at("/totals/reuse")).isEqualTo("3");
  }

  @Test
  void what_is_done_is_not_planned_as_sent_because_its_request_is_not_known_yet() {
    Reply run = server.post("/api/flows/parcel/runs", "{\"id\": \"P-8\"}", WAIT);
    Reply effects = server.get("/api/effects?run=" + run.at("/id"));
    String first = effects.at("/items/2/id");
    assertThat(effects.at("/items/2/step")).isEqualTo("first");

    Reply plan =
        plan(
            run.at("/id"),
            ", \"force\": [{\"effect\": \"%s\", \"reason\": \"lost\"}]".formatted(first));

    assertThat(plan.at("/totals/send")).isEqualTo("1");
    assertThat(plan.at("/totals/reuse")).isEqualTo("2");
    assertThat(plan.at("/items/1/step")).isEqualTo("second");
    assertThat(plan.at("/items/1/decision")).isEqualTo("reuse");
    assertThat(plan.at("/items/1/key")).isEqualTo("P-8-2");
    assertThat(plan.at("/items/1/dependsOn")).isEqualTo("[\"first\"]");
    assertThat(plan.at("/items/1/request")).isEqualTo("null");
    awaitJob(apply(plan).at("/id"), "done");
    await(run.at("/id"), "succeeded");
    String history =
        server.get("/api/runs/" + run.at("/id") + "/history?limit=200").body().toString();
    assertThat(history.split("\"type\":\"intent\"", -1)).hasSize(1 + 3 + 1);
  }

  @Test
  void the_audit_log_names_the_effect_that_is_forced_and_the_plan_that_is_applied() {
    Reply run = server.post("/api/flows/parcel/runs", "{\"id\": \"P-9\"}", WAIT);
    String effect = server.get("/api/effects?run=" + run.at("/id")).at("/items/0/id");

    Reply plan =
        plan(
            run.at("/id"),
            ", \"force\": [{\"effect\": \"%s\", \"reason\": \"a secret reason\"}]"
                .formatted(effect));
    apply(plan);
    server.post(
        "/api/jobs",
        "{\"kind\": \"settle\", \"filter\": {\"flow\": \"parcel\"}, \"decision\": \"abandon\","
            + " \"reason\": \"x\", \"plan\": true}");

    String log = server.get("/api/audit?limit=200").body().toString();
    assertThat(log)
        .contains("plan=true, runs=%s, force=%s".formatted(run.at("/id"), effect))
        .contains("apply=" + plan.at("/plan"))
        .contains("plan=true, kind=settle, decision=abandon, filter.flow=parcel")
        .doesNotContain("a secret reason");
  }

  @Test
  void nothing_is_replayed_without_a_plan_and_others_see_none() {
    Reply run = server.post("/api/flows/parcel/runs", "{\"id\": \"P-3\"}", WAIT);
    Reply plan = plan(run.at("/id"), "");

    assertThat(server.post("/api/replays", "{\"runs\": [\"x\"]}").at("/detail"))
        .contains("Nothing is replayed without a plan");
    assertThat(server.get("/api/replays/none").status()).isEqualTo(404);
    assertThat(plan("0000", "").status()).isEqualTo(404);
    assertThat(plan(run.at("/id"), ", \"fromStep\": \"frist\"").at("/detail"))
        .contains("Its steps: first, second, third");
    assertThat(plan.status()).isEqualTo(200);
  }

  private static String failed(String id) {
    server.mood(id, "refused");
    Reply run = server.post("/api/flows/parcel/runs", "{\"id\": \"%s\"}".formatted(id), WAIT);
    assertThat(run.at("/status")).isEqualTo("failed");
    server.mood(id, "fine");
    return run.at("/id");
  }

  @Test
  void a_filter_is_planned_by_a_job_and_each_run_goes_on_by_its_own_plan() {
    String one = failed("F-1");
    String other = failed("F-2");
    String body =
        "{\"filter\": {\"flow\": \"parcel\", \"status\": \"failed\", \"keyPrefix\": \"F-\"},"
            + " \"fromStep\": \"first\", \"plan\": true}";

    Reply begun = server.post("/api/replays", body);

    assertThat(begun.status()).as(begun.body().toString()).isEqualTo(202);
    String plan = begun.at("/plan");
    assertThat(begun.header("Location")).isEqualTo("/api/replays/" + plan);
    awaitJob(plan, "planned");
    Reply planned = server.get("/api/replays/" + plan);
    assertThat(planned.at("/state")).isEqualTo("planned");
    assertThat(planned.at("/found")).isEqualTo("2");
    assertThat(planned.at("/totals/send")).isEqualTo("6");
    assertThat(planned.at("/runs/0/run")).isEqualTo(other);
    assertThat(planned.at("/runs/1/key")).isEqualTo("F-1");
    assertThat(planned.body().path("items")).hasSize(6);
    assertThat(server.get("/api/replays/" + plan + "?decision=keep").body().path("items"))
        .isEmpty();
    assertThat(server.get("/api/replays/" + plan + "?decision=kep").status()).isEqualTo(400);
    assertThat(server.get("/api/replays/" + plan + "?result=skipped").body().path("runs"))
        .isEmpty();
    server.post("/api/runs/" + one + "/retry", "{}", WAIT);

    Reply applied =
        server.post("/api/replays", "{\"apply\": \"%s\", \"rate\": 50}".formatted(plan));
    assertThat(applied.at("/rate")).isEqualTo("50");
    Reply done = awaitJob(plan, "done");

    assertThat(done.at("/done")).isEqualTo("1");
    assertThat(done.at("/skipped")).isEqualTo("1");
    Reply skipped = server.get("/api/replays/" + plan + "?result=skipped");
    assertThat(skipped.at("/runs/0/run")).isEqualTo(one);
    assertThat(skipped.at("/runs/0/problem")).contains("stale", "was send and is reuse now");
    await(other, "succeeded");
    assertThat(server.get("/api/audit").body().toString()).contains("POST /api/replays");
  }

  @Test
  void a_job_of_kind_replay_needs_a_plan_and_takes_the_same_wishes() {
    String run = failed("J-1");
    String body =
        "{\"kind\": \"replay\", \"filter\": {\"ids\": [\"%s\"]}, \"fromStep\": \"first\","
            + " \"release\": \"live\"%s}";

    Reply without = server.post("/api/jobs", body.formatted(run, ""));
    Reply plan = server.post("/api/jobs", body.formatted(run, ", \"plan\": true"));
    Reply misplaced =
        server.post(
            "/api/jobs", "{\"kind\": \"retry\", \"filter\": {\"all\": true}, \"ask\": [\"x\"]}");

    assertThat(without.status()).isEqualTo(400);
    assertThat(without.at("/detail")).contains("only by a plan");
    assertThat(misplaced.at("/detail")).contains("jobs of kind 'replay'");
    Reply planned = awaitJob(plan.at("/id"), "planned");
    assertThat(planned.at("/totals/send")).isEqualTo("3");
    assertThat(planned.at("/results/0/detail/release")).isEqualTo("1");
    assertThat(planned.at("/results/0/detail/effects/0/decision")).isEqualTo("send");
    assertThat(planned.at("/results/0/detail/effects/0/request")).isNotEqualTo("null");
  }

  @Test
  void a_limited_token_plans_only_its_own_flows_and_no_one_sees_requests_without_the_scope() {
    server.release(
        """
        flow: letter
        labels: [post]
        key: ${input.id}
        steps:
          - id: first
            call: {handler: charge, input: "${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: keyed}
        """);
    String parcel = failed("L-1");
    server.mood("L-2", "refused");
    Reply letter = server.post("/api/flows/letter/runs", "{\"id\": \"L-2\"}", WAIT);
    String limited =
        server
            .post(
                "/api/tokens",
                "{\"name\":\"p\",\"scopes\":[\"runs:read\",\"runs:write\"],\"labels\":[\"post\"]}")
            .at("/token");

    Reply of = as(limited, "{\"runs\": [\"%s\"], \"plan\": true}".formatted(letter.at("/id")));
    Reply others = as(limited, "{\"runs\": [\"%s\"], \"plan\": true}".formatted(parcel));
    Reply all = as(limited, "{\"filter\": {\"keyPrefix\": \"L-\"}, \"plan\": true}");
    String effect = server.get("/api/effects?run=" + letter.at("/id")).at("/items/0/id");
    Reply forced =
        as(
            limited,
            "{\"runs\": [\"%s\"], \"force\": [{\"effect\": \"%s\", \"reason\": \"x\"}], \"plan\": true}"
                .formatted(letter.at("/id"), effect));
    String whole = plan(parcel, "").at("/plan");

    assertThat(of.status()).as(of.body().toString()).isEqualTo(200);
    assertThat(of.at("/items/0/decision")).isEqualTo("send");
    assertThat(of.at("/items/0/request")).isEqualTo("null");
    assertThat(others.status()).isEqualTo(404);
    awaitJob(all.at("/plan"), "planned");
    assertThat(server.get("/api/replays/" + all.at("/plan")).at("/found")).isEqualTo("1");
    assertThat(forced.status()).isEqualTo(403);
    assertThat(as(limited, "{\"apply\": \"%s\"}".formatted(whole)).status()).isEqualTo(404);
    assertThat(
            server
                .send(
                    server
                        .request("/api/replays")
                        .setHeader("Authorization", "Bearer " + server.tokenOf("stranger"))
                        .POST(BodyPublishers.ofString("{\"apply\": \"%s\"}".formatted(whole))))
                .status())
        .isEqualTo(404);
  }

  private static Reply as(String token, String body) {
    return server.send(
        server
            .request("/api/replays")
            .setHeader("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(body)));
  }

  @Test
  void runs_or_a_filter_are_needed_and_a_plan_is_applied_as_it_is() {
    String run = failed("M-1");

    assertThat(server.post("/api/replays", "{\"plan\": true}").at("/detail"))
        .contains("expected either runs", "or a filter");
    assertThat(
            server
                .post(
                    "/api/replays",
                    "{\"plan\": true, \"runs\": [\"%s\"], \"filter\": {\"all\": true}}"
                        .formatted(run))
                .status())
        .isEqualTo(400);
    assertThat(
            server
                .post(
                    "/api/replays",
                    "{\"plan\": true, \"filter\": {\"all\": true}, \"input\": {\"id\": \"M-1\"}}")
                .at("/detail"))
        .contains("it fits one run only");
    assertThat(
            server
                .post(
                    "/api/replays",
                    "{\"apply\": \"%s\", \"fromStep\": \"first\"}"
                        .formatted(plan(run, "").at("/plan")))
                .at("/detail"))
        .contains("a plan is applied as it is");
    assertThat(server.post("/api/replays", "{\"apply\": \"j-none\"}").status()).isEqualTo(404);
    for (String nulls :
        List.of("\"runs\": [null]", "\"runs\": [\"r\"], \"ask\": [null]", "\"runs\": [1]")) {
      assertThat(server.post("/api/replays", "{\"plan\": true, " + nulls + "}").status())
          .as(nulls)
          .isIn(400, 404);
    }
  }

  private static Reply awaitJob(String job, String state) {
    Reply now = server.get("/api/jobs/" + job);
    while (!now.at("/state").equals(state)) {
      assertThat(now.at("/state")).as("of %s", job).isIn("planning", "running");
      LockSupport.parkNanos(5_000_000);
      now = server.get("/api/jobs/" + job);
    }
    return now;
  }

  private static void await(String run, String status) {
    for (int i = 0; i < 200; i++) {
      Reply now = server.get("/api/runs/" + run);
      if (now.at("/status").equals(status)) {
        return;
      }
      LockSupport.parkNanos(50_000_000);
    }
    assertThat(server.get("/api/runs/" + run).at("/status")).isEqualTo(status);
  }
}
