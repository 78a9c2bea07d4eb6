package dev.hapax.app.mcp;

import static dev.hapax.app.mcp.AgentCalls.data;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** No tool shows a link that decides an approval, also if a request carries it encoded. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AgentLinksTest {
  @TempDir private static Path folder;
  private static TestServer server;
  private static AgentCalls agent;

  @BeforeAll
  static void serve() throws IOException {
    server = new TestServer(folder);
    // nothing listens there: the request stays in the ledger, and its run goes on trying
    server.put(
        "/api/connections/relay",
        "{\"http\": {\"base\": \"http://127.0.0.1:1\", \"privateHosts\": [\"127.0.0.1\"]}}");
    agent = new AgentCalls(server, server.token());
  }

  private static String file(String flow, String request) {
    return """
    flow: %s
    input: {type: object, required: [id], properties: {id: {type: string}}}
    key: ${input.id}
    steps:
      - id: tell
        http:
          connection: relay
          method: POST
          path: /messages
          %s
        effect: {kind: notify, key: "${input.id}", guard: keyed}
      - id: release
        approval: {ask: "Send ${input.id}?", expires: 3d, onExpire: reject}
    """
        .formatted(flow, request);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void checkHidden(String flow, String request) {
    server.release(file(flow, request));
    String run = server.post("/api/flows/" + flow + "/runs", "{\"id\": \"A-1\"}").at("/id");
    String effect = effectOf(run);
    String token =
        server
            .get("/api/effects/" + effect)
            .raw()
            .body()
            .replaceAll("(?s).*approvals(?:/|%2F|%252F)([a-z2-7]{52}).*", "$1");
    assertThat(token).as("people who may read the effect see it").hasSize(52);

    String about = "{\"run\": \"%s\"}".formatted(run);
    for (String tool : List.of("run_history", "get_run", "explain_run", "run_status")) {
      assertThat(agent.call(tool, about).raw().body()).as(tool).doesNotContain(token);
    }
    String shown = agent.call("get_effect", "{\"effect\": \"%s\"}".formatted(effect)).raw().body();
    assertThat(shown).contains("not shown to agents").doesNotContain(token);
  }

  private static String effectOf(String run) {
    while (true) { // ends with the limit of the test
      JsonNode effect =
          data(agent.call("list_effects", "{\"run\": \"%s\"}".formatted(run))).at("/items/0/id");
      if (effect.isString()) {
        return effect.stringValue();
      }
      LockSupport.parkNanos(2_000_000);
    }
  }

  @Test
  void a_link_in_a_form_is_not_shown() {
    checkHidden(
        "tells-by-form",
        "headers: {Content-Type: application/x-www-form-urlencoded}, body: {text: \"Decide at ${approval('release').url}\"}"
            .replace(", body", "\n      body"));
  }

  @Test
  void a_link_in_a_query_is_not_shown() {
    checkHidden("tells-by-query", "query: {text: \"Decide at ${approval('release').url}\"}");
  }

  @Test
  void a_link_in_json_is_not_shown() {
    checkHidden("tells-by-json", "body: {text: \"Decide at ${approval('release').url}\"}");
  }

  @Test
  void a_link_inside_another_link_is_not_shown() {
    checkHidden(
        "tells-by-relay",
        "query: {to: \"https://relay.example/?u=${approval('release').url}&v=1\"}");
  }
}
