package dev.hapax.app.mcp;

import static dev.hapax.app.mcp.AgentCalls.data;
import static dev.hapax.app.mcp.AgentCalls.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Agents prove what they write, and learn what became of an effect. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 240, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AgentProofTest {
  @TempDir private static Path folder;
  private static TestServer server;
  private static AgentCalls agent;

  @BeforeAll
  static void serve() throws IOException {
    server = new TestServer(folder);
    agent = new AgentCalls(server, server.token());
  }

  private static String payout(String flow, String guard) {
    return """
    flow: %s
    input: {type: object, required: [id], properties: {id: {type: string}}}
    key: ${input.id}
    steps:
      - id: pay
        http: {connection: bank, method: POST, path: /payouts, body: {id: "${input.id}"}}
        effect: {name: bank.payout, kind: create, key: "${input.id}", guard: %s}
        retry: {attempts: 3, delay: 1s}
    """
        .formatted(flow, guard);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void push(String flow, String guard) {
    Reply pushed =
        agent.call("push_draft", Json.write(Map.of("flow", flow, "file", payout(flow, guard))));
    assertThat(pushed.at("/result/isError")).as(words(pushed)).isEqualTo("false");
  }

  private static Reply prove(String flow) {
    return agent.call("prove_draft", "{\"flow\": \"%s\"}".formatted(flow));
  }

  @Test
  void a_draft_is_proven_or_refuted_in_memory() {
    push("safe", "keyed");
    push("unsafe", "{none: {onDoubt: repeat}}");

    Reply safe = prove("safe");
    Reply unsafe = prove("unsafe");

    assertThat(data(safe).at("/proofs/0/holds").asBoolean()).as(safe.raw().body()).isTrue();
    assertThat(data(safe).at("/proofs/0/effects/0/effect").asString("")).isEqualTo("bank.payout");
    assertThat(data(safe).at("/proofs/0/untried").isArray()).isTrue();
    assertThat(data(unsafe).at("/proofs/0/holds").asBoolean()).isFalse();
    assertThat(data(unsafe).at("/proofs/0/problems/0/effect").asString(""))
        .isEqualTo("bank.payout");
    assertThat(words(unsafe)).contains("Not proven");
    assertThat(server.get("/api/effects?name=bank.payout").body().path("items")).isEmpty();
  }

  @Test
  void a_draft_that_is_missing_or_wrong_is_refused() {
    agent.call("push_draft", "{\"flow\": \"broken\", \"file\": \"flow: broken\\nsteps: 1\\n\"}");

    assertThat(words(prove("nowhere"))).contains("not-found");
    assertThat(words(prove("broken"))).contains("findings");
  }

  @Test
  void proofs_take_turns_and_the_server_goes_on() throws Exception {
    push("busy", "keyed");
    List<String> said = new ArrayList<>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Reply>> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        calls.add(callers.submit(() -> prove("busy")));
      }
      assertThat(server.get("/readyz").status()).isEqualTo(200);
      for (Future<Reply> call : calls) {
        said.add(words(call.get()));
      }
    }

    assertThat(said).anyMatch(text -> text.contains("applied once"));
    assertThat(said)
        .allMatch(text -> text.contains("applied once") || text.contains("being proven"));
  }

  @Test
  void only_writers_of_drafts_take_the_time_of_the_server() {
    String reader =
        server.post("/api/tokens", "{\"name\": \"r\", \"scopes\": [\"flows:read\"]}").at("/token");

    String tools = new AgentCalls(server, reader).list().raw().body();

    assertThat(tools).contains("\"check_draft\"").doesNotContain("\"prove_draft\"");
  }

  @Test
  void an_effect_is_explained_with_its_run() {
    server.release(
        """
        flow: charge-it
        input: {type: object, required: [id], properties: {id: {type: string}}}
        key: ${input.id}
        steps:
          - id: charge
            call: {handler: charge, input: "${input.id}"}
            effect: {name: it.charge, kind: create, key: "${input.id}", guard: none}
            retry: {attempts: 1}
        """);
    server.mood("A-2", "lost");
    for (String order : List.of("A-1", "A-2")) {
      server.post(
          "/api/flows/charge-it/runs", "{\"id\": \"%s\"}".formatted(order), "Prefer", "wait=30");
    }

    Reply done = explain("A-1");
    Reply lost = explain("A-2");

    assertThat(data(done).path("meaning").asString(""))
        .contains("it.charge", "is done", "nothing is sent again");
    assertThat(data(done).at("/run/status").asString("")).isEqualTo("succeeded");
    assertThat(data(lost).path("meaning").asString(""))
        .contains("not known whether it happened", "Only a person", "not safe to repeat");
    assertThat(data(lost).path("review").isObject()).as(lost.raw().body()).isTrue();
  }

  private static Reply explain(String key) {
    String id =
        server.get("/api/effects?name=it.charge&key=" + key).body().at("/items/0/id").asString("");
    return agent.call("explain_effect", "{\"effect\": \"%s\"}".formatted(id));
  }
}
