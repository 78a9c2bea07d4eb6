package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A draft is run to see what it would do: nothing is sent, and it shares nothing with what counts.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DraftRunTest {
  private static final String DRAFT =
      """
      flow: bill
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      steps:
        - id: charge
          call: {handler: charge, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: keyed}
          sample: {charged: sample}
        - id: ask
          approval: {ask: "Go on?", expires: 1d, onExpire: reject}
      output: {charged: "${steps.charge.output.charged}"}
      """;

  @TempDir private Path folder;

  @Test
  void a_draft_runs_in_a_space_of_its_own_and_sends_nothing() throws Exception {
    try (var server = new TestServer(folder)) {
      server.moods.put("A-1", "lost"); // whoever sends it would be in doubt
      put(server, DRAFT);

      Reply started = server.post("/api/flows/bill/runs?draft=true", "{\"id\": \"A-1\"}");

      String run = started.at("/id");
      assertThat(started.status()).isEqualTo(201);
      decide(server);
      awaitEnd(server, run);
      assertThat(server.get("/api/runs/" + run).at("/output/charged")).isEqualTo("sample");
      assertThat(server.get("/api/runs/" + run + "/history").status()).isEqualTo(200);
      assertThat(server.get("/api/runs?flow=bill").body().at("/items").size()).isZero();
      assertThat(server.get("/api/runs?flow=bill&draft=true").body().at("/items").size()).isOne();
      assertThat(server.get("/api/effects").body().at("/items").size()).isZero();
      assertThat(server.get("/api/effects?draft=true").body().at("/items").size()).isOne();
    }
  }

  @Test
  void a_run_of_a_draft_that_waits_finds_its_text_after_a_restart() throws Exception {
    String run;
    try (var server = new TestServer(folder)) {
      put(server, DRAFT);
      run = server.post("/api/flows/bill/runs?draft=true", "{\"id\": \"A-2\"}").at("/id");
      put(server, DRAFT.replace("sample}", "another}"));
    }

    try (var server = new TestServer(folder)) {
      decide(server);
      awaitEnd(server, run);

      assertThat(server.get("/api/runs/" + run).at("/output/charged")).isEqualTo("sample");
    }
  }

  @Test
  void a_draft_asks_no_model() throws Exception {
    try (var server = new TestServer(folder)) {
      put(
          server,
          """
          flow: bill
          key: ${input.id}
          steps:
            - id: text
              llm: {connection: model, model: small, prompt: "${input.id}", maxTokens: 10}
              sample: {text: hello}
          output: {text: "${steps.text.output.text}"}
          """);

      String run = server.post("/api/flows/bill/runs?draft=true", "{\"id\": \"A-4\"}").at("/id");
      awaitEnd(server, run);

      assertThat(server.get("/api/runs/" + run).at("/output/text")).isEqualTo("hello");
    }
  }

  @Test
  void a_draft_with_errors_or_without_a_text_is_refused() throws Exception {
    try (var server = new TestServer(folder)) {
      put(server, DRAFT.replace("guard: keyed", "guard: kayed"));

      Reply wrong = server.post("/api/flows/bill/runs?draft=true", "{\"id\": \"A-3\"}");
      Reply missing = server.post("/api/flows/bull/runs?draft=true", "{\"id\": \"A-3\"}");

      assertThat(wrong.status()).isEqualTo(422);
      assertThat(wrong.at("/type")).endsWith("/findings");
      assertThat(missing.status()).isEqualTo(404);
    }
  }

  @Test
  void the_answer_lists_what_would_be_sent_in_order_with_that_of_children() throws Exception {
    try (var server = new TestServer(folder)) {
      server.release(
          """
          flow: inner
          key: ${input.id}
          steps:
            - id: second
              call: {handler: charge, input: "${input.id}"}
              effect: {kind: create, key: "b-${input.id}", guard: keyed}
          """);
      put(
          server,
          """
          flow: bill
          key: ${input.id}
          steps:
            - id: first
              call: {handler: charge, input: "${input.id}"}
              effect: {kind: create, key: "z-${input.id}", guard: keyed}
            - id: child
              flow: {name: inner, input: {id: "${input.id}"}}
            - id: third
              call: {handler: charge, input: "${input.id}"}
              effect: {kind: create, key: "a-${input.id}", guard: keyed}
          """);

      Reply run =
          server.post("/api/flows/bill/runs?draft=true", "{\"id\": \"A\"}", "Prefer", "wait=20");
      String wish = "{\"name\": \"reader\", \"scopes\": [\"runs:read\"]}";
      String reader = server.post("/api/tokens", wish).at("/token");
      Reply unseen =
          server.send(
              server
                  .request("/api/runs/" + run.at("/id"))
                  .setHeader("Authorization", "Bearer " + reader)
                  .GET());

      assertThat(run.at("/status")).isEqualTo("succeeded");
      assertThat(run.body().path("wouldSend").valueStream().map(one -> one.path("key").asString()))
          .containsExactly("z-A", "b-A", "a-A");
      assertThat(run.at("/wouldSend/0/request/input")).isEqualTo("A");
      assertThat(server.get("/api/runs/" + run.at("/id")).body().path("wouldSend").size())
          .isEqualTo(3);
      assertThat(unseen.status()).isEqualTo(200);
      assertThat(unseen.body().has("wouldSend")).isFalse();
    }
  }

  private static void put(TestServer server, String text) {
    var draft =
        server
            .request("/api/flows/bill/draft")
            .setHeader("Content-Type", "application/yaml")
            .PUT(BodyPublishers.ofString(text));
    assertThat(server.send(draft).status()).isEqualTo(200);
  }

  private static void decide(TestServer server) {
    Reply open = server.get("/api/approvals?draft=true");
    while (open.body().at("/items").isEmpty()) {
      LockSupport.parkNanos(2_000_000);
      open = server.get("/api/approvals?draft=true");
    }
    server.post(
        "/api/approvals/%s?draft=true".formatted(open.at("/items/0/id")),
        "{\"decision\": \"approve\"}");
  }

  private static void awaitEnd(TestServer server, String run) {
    while (!server.get("/api/runs/" + run).at("/status").equals("succeeded")) {
      LockSupport.parkNanos(2_000_000);
    }
  }
}
