package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.nio.file.Path;
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

    Reply done = apply(plan);

    assertThat(done.at("/kind")).isEqualTo("replay");
    assertThat(done.at("/done")).isEqualTo("1");
    await(failed.at("/id"), "succeeded");
    Reply stale = apply(plan);
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
