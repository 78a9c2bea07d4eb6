package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.app.http.TokenScope;
import dev.hapax.json.Json;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Agents with tokens that allow too little, of another tenant, and with hostile messages. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("attack")
class McpAttackTest {
  private static final String MARK = "acme-mark-77aa";
  private static final String ALL =
      "mcp.tools=cancel_run,decide_approval,promote_flow,release_flow,resume_run,retry_run,settle_effect";

  @TempDir static Path folder;
  private static TestServer server;
  private static String run;

  @BeforeAll
  static void open() throws IOException {
    server = new TestServer(folder, ALL, "http.wrongTokensPerAddress=off");
    server.release(
        """
        flow: marked
        key: ${input.id}
        expose: mcp
        steps:
          - {id: note, set: {text: "${input.id}"}}
        output: {text: "${steps.note.output.text}"}
        """);
    run = server.post("/api/flows/marked/runs", "{\"id\": \"%s\"}".formatted(MARK)).at("/id");
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static Reply send(String token, String body, String... headers) {
    HttpRequest.Builder request =
        server
            .request("/mcp")
            .setHeader("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return server.send(request);
  }

  private static Reply call(String token, String tool, Object arguments) {
    return send(
        token,
        Json.write(
            Map.of(
                "jsonrpc",
                "2.0",
                "id",
                1,
                "method",
                "tools/call",
                "params",
                Map.of("name", tool, "arguments", arguments))));
  }

  private static JsonNode tools(String token) {
    return send(token, "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}")
        .body()
        .at("/result/tools");
  }

  /** Arguments that name what acme has, for every argument of a tool. */
  private static Map<String, Object> arguments(JsonNode tool) {
    var arguments = new LinkedHashMap<String, Object>();
    tool.at("/inputSchema/properties")
        .properties()
        .forEach(
            property -> {
              String type = property.getValue().path("type").asString("");
              arguments.put(
                  property.getKey(),
                  switch (property.getKey()) {
                    case "run" -> run;
                    case "flow" -> "marked";
                    default ->
                        switch (type) {
                          case "integer" -> 1;
                          case "boolean" -> true;
                          case "object" -> Map.of("name", "x", "key", "y");
                          default -> MARK.substring(0, 4);
                        };
                  });
            });
    arguments.remove("pointer");
    arguments.remove("after");
    return arguments;
  }

  @Test
  void a_token_sees_and_calls_only_the_tools_that_its_scope_allows() throws Exception {
    JsonNode all = tools(server.token());
    var wrong = new ArrayList<String>();
    int attempts = 0;
    for (TokenScope scope : TokenScope.values()) {
      if (!scope.isGranted() || scope == TokenScope.ADMIN) {
        continue;
      }
      String wish = "{\"name\": \"only %1$s\", \"scopes\": [\"%1$s\"]}".formatted(scope.word());
      String token = server.post("/api/tokens", wish).at("/token");
      var seen = new TreeSet<String>();
      tools(token).forEach(tool -> seen.add(tool.path("name").asString("")));
      for (JsonNode tool : all) {
        String name = tool.path("name").asString("");
        attempts++;
        if (seen.contains(name)) {
          continue; // it may call it, and the routes have their own matrix
        }
        Reply reply = call(token, name, arguments(tool));
        if (!reply.at("/error/code").equals("-32602")) {
          wrong.add("%s with %s: %s".formatted(name, scope.word(), reply.body()));
        }
      }
    }
    assertThat(wrong).isEmpty();
    AttackTable.held(McpAttackTest.class, "Every tool of agents with every scope", attempts);
  }

  @Test
  void a_tool_shows_and_changes_nothing_of_another_tenant() throws Exception {
    String rival = server.tokenOf("rival");
    var wrong = new ArrayList<String>();
    int attempts = 0;
    for (JsonNode tool : tools(server.token())) {
      attempts++;
      Reply reply = call(rival, tool.path("name").asString(""), arguments(tool));
      if (reply.raw().body().contains(MARK) || reply.status() >= 500) {
        wrong.add("%s: %s".formatted(tool.path("name"), reply.raw().body()));
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(tools(rival).toString()).doesNotContain("\"marked\"");
    assertThat(server.get("/api/runs/" + run).at("/status")).isEqualTo("succeeded");
    AttackTable.held(McpAttackTest.class, "Every tool of agents as another tenant", attempts);
  }

  @Test
  void a_hostile_message_gets_a_refusal_and_harms_nothing() throws Exception {
    String call =
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\":"
            + " \"marked\", %s}}";
    var messages = new ArrayList<String>();
    messages.add("");
    messages.add("null");
    messages.add("[]");
    messages.add("[" + call.formatted("\"arguments\": {\"id\": \"x\"}") + "]");
    messages.add("[".repeat(100_000));
    messages.add("{\"a\":".repeat(100_000));
    messages.add("{\"jsonrpc\": \"2.0\", \"id\": 1, \"id\": 2, \"method\": \"tools/list\"}");
    messages.add("{\"jsonrpc\": \"2.0\", \"id\": [1], \"method\": \"tools/list\"}");
    messages.add("{\"jsonrpc\": \"2.0\", \"id\": 1e999999, \"method\": \"tools/list\"}");
    messages.add("{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"tools/list\"}");
    messages.add(
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"%s\"}".formatted("x".repeat(9_999)));
    messages.add("{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\", \"params\": []}");
    messages.add(call.formatted("\"arguments\": []"));
    messages.add(call.formatted("\"arguments\": {\"id\": \"\\u0000\"}"));
    messages.add(call.formatted("\"arguments\": {\"id\": \"\\ud800\"}"));
    messages.add(call.formatted("\"arguments\": {\"id\": 1}, \"idempotencyKey\": {}"));
    messages.add(
        call.formatted("\"arguments\": {\"id\": \"%s\"}".formatted("x".repeat(2_000_000))));
    messages.add(
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\":"
            + " \"../../api/tokens\"}}");
    messages.add(
        "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": 5}}");
    messages.add("{\"jsonrpc\": \"2.0\", \"id\": 1, \"result\": {}}");
    int attempts = 0;
    var wrong = new ArrayList<String>();
    for (String version :
        List.of("2026-07-28", "2025-11-25", "1999-01-01", "\t", "x".repeat(500))) {
      for (String message : messages) {
        attempts++;
        Reply reply =
            send(
                server.token(),
                message,
                "MCP-Protocol-Version",
                version,
                "Mcp-Method",
                "tools/call");
        boolean isRefused =
            reply.status() >= 400
                || reply.body().has("error")
                || reply.at("/result/isError").equals("true");
        if (reply.status() >= 500 || !isRefused) {
          wrong.add(
              "%d %s: %s"
                  .formatted(
                      reply.status(),
                      message.substring(0, Math.min(90, message.length())),
                      reply.raw().body()));
        }
      }
    }
    for (String origin :
        List.of(
            "https://evil.example",
            "null",
            "file://",
            "http://127.0.0.1.evil.example",
            "http://[::1",
            "x")) {
      attempts++;
      Reply reply =
          send(
              server.token(),
              "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}",
              "Origin",
              origin);
      if (reply.status() != 403) {
        wrong.add("origin %s: %d".formatted(origin, reply.status()));
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(server.get("/api/runs?flow=marked").body().path("items")).hasSize(1);
    AttackTable.held(McpAttackTest.class, "Hostile messages to agents' tools", attempts);
  }
}
