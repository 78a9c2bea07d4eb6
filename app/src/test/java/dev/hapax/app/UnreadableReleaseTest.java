package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import dev.hapax.app.data.Records;
import dev.hapax.app.data.ServerMap;
import dev.hapax.app.release.FlowName;
import dev.hapax.app.release.FlowState;
import dev.hapax.app.release.Release;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A release of a newer version of Hapax, in the store of this one: it stops only its own flow. */
@Timeout(120)
class UnreadableReleaseTest {
  private static final String PARENT =
      """
      flow: %s
      input: {type: object, required: [id], properties: {id: {type: string}}}
      key: ${input.id}
      expose: mcp
      steps:
        - {id: child, flow: {name: %s, input: {id: "${input.id}"}}}
      """;
  private static final String READABLE = "flow: %s\nexpose: mcp\nsteps: [{id: a, set: {b: 1}}]\n";
  private static final String LATER = "flow: %s\nexpose: mcp\nsteps: [{id: a, fromTheFuture: 1}]\n";

  @TempDir private Path folder;

  @Test
  void a_release_of_a_newer_version_hides_no_other_tool() throws Exception {
    try (var server = new TestServer(folder)) {
      server.release(READABLE.formatted("plain"));
      server.release(PARENT.formatted("parent-a", "of-later-format"));
      server.release(PARENT.formatted("parent-b", "of-later-kind"));
      made(server, "of-later-format", READABLE, 99);
      made(server, "of-later-kind", LATER, 2);

      assertThatOnlyTheseAreListed(server);
    }
    try (var server = new TestServer(folder, true)) { // begins with these releases
      assertThatOnlyTheseAreListed(server);
      assertThat(server.get("/readyz").status()).isEqualTo(200);
      Reply called =
          server.post(
              "/mcp",
              """
              {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
               "params": {"name": "plain", "arguments": {"idempotencyKey": "A-1"}}}
              """);
      assertThat(called.at("/result/isError")).as(called.raw().body()).isEqualTo("false");
    }
  }

  private static void assertThatOnlyTheseAreListed(TestServer server) {
    Reply listed =
        server.post("/mcp", "{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": \"tools/list\"}");

    assertThat(listed.status()).as(listed.raw().body()).isEqualTo(200);
    List<JsonNode> tools =
        StreamSupport.stream(listed.body().at("/result/tools").spliterator(), false).toList();
    assertThat(tools)
        .extracting(tool -> tool.path("name").asString(""))
        .contains("plain", "parent-a", "parent-b", "run_status")
        .doesNotContain("of-later-format", "of-later-kind");
    assertThat(tools)
        .filteredOn(tool -> tool.path("name").asString("").startsWith("parent"))
        .as("a child that cannot be read may do anything")
        .allMatch(tool -> tool.at("/annotations/openWorldHint").asBoolean())
        .noneMatch(tool -> tool.at("/annotations/idempotentHint").asBoolean());
  }

  /** As another node has made it, and made it live. */
  private static void made(TestServer server, String name, String text, int format) {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    String file = text.formatted(name);
    var map = ServerMap.of(server.hapax());
    new Records<>(map, "releases", Release.class)
        .putIfAbsent(
            Records.name("default", name, "00000001"),
            new Release(1, file, "of-another-version", null, "ada", now, format));
    new Records<>(map, "flows", FlowState.class)
        .putIfAbsent(
            Records.name("default", name),
            new FlowState(new FlowName("default", name), 1, 1, now, "ada", List.of(), null));
  }
}
