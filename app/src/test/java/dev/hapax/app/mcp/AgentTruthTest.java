package dev.hapax.app.mcp;

import static dev.hapax.app.mcp.AgentCalls.data;
import static dev.hapax.app.mcp.AgentCalls.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What tools and tasks say about a flow or a run is true of it. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AgentTruthTest {
  @TempDir private static Path folder;
  private static TestServer server;
  private static AgentCalls agent;

  @BeforeAll
  static void serve() throws IOException {
    server = new TestServer(folder);
    agent = new AgentCalls(server, server.token());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static boolean isOpenWorld(String name, String step) {
    server.release(
        "flow: %s%nkey: ${input.id}%nexpose: mcp%nsteps:%n  - %s%n".formatted(name, step));
    return tool(name).at("/annotations/openWorldHint").asBoolean();
  }

  private static JsonNode tool(String name) {
    for (JsonNode tool : agent.list().body().at("/result/tools")) {
      if (tool.path("name").asString("").equals(name)) {
        return tool;
      }
    }
    throw new AssertionError("no tool " + name);
  }

  @Test
  void a_flow_that_reaches_out_without_a_connection_says_so() {
    assertThat(isOpenWorld("stays", "{id: a, set: {b: 1}}")).isFalse();
    assertThat(isOpenWorld("counts", "{id: a, call: {handler: charge, pure: true}}")).isFalse();
    assertThat(isOpenWorld("reads", "{id: a, http: {url: \"https://shop.example/a\"}}")).isTrue();
    assertThat(
            isOpenWorld(
                "tells",
                "{id: a, publish: {url: \"https://shop.example/a\", type: t, data: {b: 1}}}"))
        .isTrue();
    assertThat(
            isOpenWorld(
                "charges",
                "{id: a, call: {handler: charge}, effect: {kind: create, key: \"${input.id}\", guard: keyed}}"))
        .isTrue();
  }

  @Test
  void a_flow_that_forgets_its_keys_is_idempotent_only_until_then() {
    String file =
        """
        flow: %s
        input: {type: object, required: [id], properties: {id: {type: string}}}
        key: ${input.id}
        retention: 7d
        %s
        expose: mcp
        steps:
          - {id: note, set: {a: 1}}
        """;
    server.release(file.formatted("keeps", "afterRetention: expired"));
    server.release(file.formatted("forgets", "afterRetention: new"));

    JsonNode keeps = tool("keeps");
    JsonNode forgets = tool("forgets");

    assertThat(keeps.at("/annotations/idempotentHint").asBoolean()).isTrue();
    assertThat(keeps.path("description").asString("")).doesNotContain("7d");
    assertThat(forgets.at("/annotations/idempotentHint").asBoolean()).isFalse();
    assertThat(forgets.path("description").asString(""))
        .contains("same arguments is the same run", "for 7d after", "does the work again");
    assertThat(forgets.path("_meta").path("dev.hapax/repeatable").asBoolean())
        .as("a lost answer is asked for at once")
        .isTrue();
  }

  @Test
  void an_input_named_like_the_key_is_input_if_the_flow_computes_its_key() {
    server.release(
        """
        flow: forwards
        input:
          type: object
          required: [id, idempotencyKey]
          properties: {id: {type: string}, idempotencyKey: {type: string}}
        key: ${input.id}
        expose: mcp
        steps:
          - {id: note, set: {given: "${input.idempotencyKey}"}}
        output: {given: "${steps.note.output.given}"}
        """);

    Reply called = agent.call("forwards", "{\"id\": \"A-1\", \"idempotencyKey\": \"other\"}");
    Reply wrong =
        agent.call(
            "forwards",
            "{\"id\": \"A-2\", \"idempotencyKey\": \"other\"}",
            "Idempotency-Key",
            "not-A-2");

    assertThat(data(called).at("/output/given").asString("")).as(words(called)).isEqualTo("other");
    assertThat(data(called).path("key").asString("")).isEqualTo("A-1");
    assertThat(words(wrong)).contains("key-mismatch");
  }

  @Test
  void a_revision_that_demands_batches_is_not_spoken() {
    Reply hello =
        server.post(
            "/mcp",
            """
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-03-26",
             "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
            """);

    assertThat(hello.at("/result/protocolVersion")).isEqualTo("2025-11-25");
    assertThat(agent.ask("server/discover", Map.of(), null).at("/result/supportedVersions"))
        .doesNotContain("2025-03-26")
        .contains("2025-06-18");
  }

  @Test
  void a_canceled_effect_is_not_said_to_be_tried_again() {
    server.put(
        "/api/connections/away",
        "{\"http\": {\"base\": \"http://127.0.0.1:1\", \"privateHosts\": [\"127.0.0.1\"]}}");
    String request =
        """
        {"effect": {"name": "ship", "key": "A-1", "guard": "keyed"}, "connection": "away",
         "http": {"method": "POST", "path": "/ships"}}
        """;
    String run = server.post("/api/once", request, "Prefer", "wait=0").at("/run");
    server.post("/api/runs/" + run + "/cancel", "{\"reason\": \"not wanted\"}");
    awaitEnd(run);

    Reply again = agent.call("once", request);

    assertThat(words(again)).contains("canceled", "tries nothing").doesNotContain("tries again");
    assertThat(again.at("/result/isError")).isEqualTo("true");
  }

  private static void awaitEnd(String run) {
    while (!server.get("/api/runs/" + run).at("/status").equals("canceled")) {
      LockSupport.parkNanos(2_000_000); // ends with the limit of the test
    }
  }

  @Test
  void a_task_that_waits_for_a_person_says_so_and_cannot_be_answered_by_the_client() {
    server.release(
        """
        flow: asks
        input: {type: object, required: [id], properties: {id: {type: string}}}
        key: ${input.id}
        expose: mcp
        steps:
          - id: release
            approval: {ask: "Send ${input.id}?", expires: 3d, onExpire: reject}
        """);
    var reader = new AgentCalls(server, server.token(), true, true);
    String run = server.post("/api/flows/asks/runs", "{\"id\": \"A-1\"}").at("/id");
    JsonNode task = awaitInput(reader, run);
    Map.Entry<String, JsonNode> request = task.path("inputRequests").properties().iterator().next();
    Reply answered =
        reader.ask(
            "tasks/update",
            Map.of(
                "taskId",
                run,
                "inputResponses",
                Map.of(
                    request.getKey(),
                    Map.of("action", "accept", "content", Map.of("decision", "approve")))),
            run);

    JsonNode plain =
        new AgentCalls(server, server.token(), true).task("tasks/get", run).body().path("result");
    assertThat(request.getKey()).startsWith("approval-w-");
    assertThat(request.getValue().at("/params/url").asString("")).endsWith("/runs/" + run);
    assertThat(request.getValue().at("/params/mode").asString("")).isEqualTo("url");
    assertThat(answered.at("/result/resultType")).as(answered.raw().body()).isEqualTo("complete");
    assertThat(server.get("/api/runs/" + run).at("/status")).isEqualTo("waiting");
    assertThat(plain.path("status").asString("")).isEqualTo("working");
    assertThat(plain.path("statusMessage").asString(""))
        .contains("/runs/" + run, "A person decides", "cannot approve");
    assertThat(plain.path("pollIntervalMs").asInt()).isEqualTo(30_000);
  }

  @Test
  void a_task_in_review_says_that_another_key_is_not_safe() {
    server.release(
        """
        flow: risky
        input: {type: object, required: [id], properties: {id: {type: string}}}
        key: ${input.id}
        expose: mcp
        steps:
          - id: charge
            call: {handler: charge, input: "${input.id}"}
            effect: {kind: create, key: "${input.id}", guard: none}
            retry: {attempts: 1}
        """);
    server.mood("A-3", "lost");
    String run =
        server.post("/api/flows/risky/runs", "{\"id\": \"A-3\"}", "Prefer", "wait=30").at("/id");

    JsonNode task = awaitInput(new AgentCalls(server, server.token(), true, true), run);
    JsonNode plain =
        new AgentCalls(server, server.token(), true).task("tasks/get", run).body().path("result");

    assertThat(task.path("inputRequests").toString())
        .contains("review-e-", "not safe to repeat this with another key", "/runs/" + run);
    assertThat(plain.path("statusMessage").asString(""))
        .contains("Status: review", "not safe to repeat this with another key", "/runs/" + run);
  }

  private static JsonNode awaitInput(AgentCalls reader, String run) {
    while (true) { // ends with the limit of the test
      JsonNode task = reader.task("tasks/get", run).body().path("result");
      if (task.path("status").asString("").equals("input_required")) {
        return task;
      }
      LockSupport.parkNanos(2_000_000);
    }
  }
}
