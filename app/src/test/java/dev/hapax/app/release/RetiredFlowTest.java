package dev.hapax.app.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing starts a flow that is retired; its runs, releases and history stay. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RetiredFlowTest {
  private static final String ORDER =
      """
      flow: retiring
      key: ${input.id}
      triggers:
        - webhook: {path: orders, verify: {scheme: none}, event: "${event.body.id}"}
        - schedule: {name: nightly, cron: "0 3 * * *", timezone: UTC, input: {id: "${schedule.time}"}}
      steps:
        - id: hold
          approval: {ask: "Go on?", expires: 30d}
      output: {held: true}
      """;

  private static final String PARENT =
      """
      flow: parent
      key: ${input.id}
      steps:
        - id: hold
          approval: {ask: "Go on?", expires: 30d}
        - id: child
          flow: {name: leaf, input: {id: "${input.id}"}}
      output: ${steps.child.output}
      """;

  private static final String LEAF =
      "flow: leaf\nkey: ${input.id}\nsteps:\n  - {id: a, set: {n: 1}}\noutput: {n: 1}\n";

  @TempDir Path folder;
  private TestServer server;

  @BeforeEach
  void start() throws IOException {
    server = new TestServer(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void restart() throws IOException {
    server.close();
    server = new TestServer(folder);
  }

  private static Reply must(Reply reply) {
    assertThat(reply.status()).as(reply.raw().body()).isLessThan(300);
    return reply;
  }

  private Reply start(String flow, String id) {
    return server.post("/api/flows/" + flow + "/runs", "{\"id\": \"%s\"}".formatted(id));
  }

  private void approve(String run) {
    String approval = "";
    while (approval.isEmpty()) { // the run asks a moment after its start
      approval =
          server
              .get("/api/approvals")
              .body()
              .path("items")
              .valueStream()
              .filter(one -> one.path("run").asString("").equals(run))
              .map(one -> one.path("id").asString())
              .findFirst()
              .orElse("");
    }
    must(server.post("/api/approvals/" + approval, "{\"decision\": \"approve\"}"));
  }

  private String ended(String run) {
    String status = "running";
    while (List.of("running", "waiting").contains(status)) {
      status = server.get("/api/runs/" + run).at("/status");
    }
    return status;
  }

  @Test
  void a_retired_flow_starts_nothing_and_its_runs_go_on_also_after_a_restart() throws IOException {
    server.release(ORDER);
    String run = must(start("retiring", "A-1")).at("/id");

    Reply retired = must(server.delete("/api/flows/retiring/live"));
    Reply again = must(server.delete("/api/flows/retiring/live"));

    assertThat(retired.at("/runs/0/open")).as(retired.raw().body()).isEqualTo("1");
    assertThat(again.at("/retiredAt")).isEqualTo(retired.at("/retiredAt"));
    for (int round = 0; round < 2; round++) {
      Reply refused = start("retiring", "A-2");
      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.at("/type")).endsWith("/not-possible");
      assertThat(refused.at("/detail")).contains("is retired", "hapax promote retiring 1");
      assertThat(server.post("/hooks/orders", "{\"id\": \"E-1\"}").status()).isEqualTo(404);
      assertThat(server.get("/api/schedules/nightly").status()).isEqualTo(404);
      assertThat(server.get("/api/flows/retiring").at("/retiredBy")).isNotEmpty();
      assertThat(server.get("/api/flows/retiring/releases").body().path("items")).hasSize(1);
      restart();
    }
    approve(run);
    assertThat(ended(run)).isEqualTo("succeeded");

    must(server.put("/api/flows/retiring/live", "{\"release\": 1}"));

    assertThat(start("retiring", "A-2").status()).isEqualTo(201);
    assertThat(server.post("/hooks/orders", "{\"id\": \"E-1\"}").status()).isEqualTo(200);
    assertThat(server.get("/api/schedules/nightly").status()).isEqualTo(200);
    assertThat(server.get("/api/flows/retiring").body().path("retiredAt").isString()).isFalse();
  }

  @Test
  void
      a_flow_that_others_start_is_kept_unless_a_person_insists_and_runs_under_way_still_start_it() {
    server.release(LEAF);
    server.release(PARENT);
    String run = must(start("parent", "P-1")).at("/id");

    Reply refused = server.delete("/api/flows/leaf/live");
    Reply insisted = must(server.delete("/api/flows/leaf/live?allowMissing=true"));
    approve(run);

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.at("/findings/0/message")).contains("'parent' starts flow 'leaf'");
    assertThat(insisted.at("/findings/0/level")).isEqualTo("warning");
    assertThat(ended(run)).isEqualTo("succeeded");
    Reply promoted = server.put("/api/flows/parent/live", "{\"release\": 1}");
    assertThat(promoted.status()).as("a new promotion lacks the child").isEqualTo(422);
    assertThat(promoted.at("/findings/0/rule")).isEqualTo("unknown-flow");
  }

  @Test
  void what_was_never_live_cannot_be_retired() {
    Map<String, Integer> expected = Map.of("none", 404, "drafted", 409);
    must(
        server.send(
            server
                .request("/api/flows/drafted/draft")
                .setHeader("Content-Type", "application/yaml")
                .PUT(BodyPublishers.ofString(LEAF.replace("leaf", "drafted")))));

    List.copyOf(expected.keySet())
        .forEach(
            flow ->
                assertThat(server.delete("/api/flows/" + flow + "/live").status())
                    .as(flow)
                    .isEqualTo(expected.get(flow)));
  }
}
