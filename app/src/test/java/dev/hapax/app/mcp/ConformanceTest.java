package dev.hapax.app.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.PublicTools;
import dev.hapax.app.TestServer;
import dev.hapax.app.http.HostRule;
import dev.hapax.app.http.PeerLimits;
import dev.hapax.app.http.Route;
import dev.hapax.app.http.Routes;
import dev.hapax.app.http.Server;
import dev.hapax.app.http.TokenScope;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The public conformance suite, against our endpoint with the tools that it prescribes, and against
 * a whole server. What it finds must be what the lists of expected failures say, each with its
 * reason: neither more nor less. The suite counts no extension such as tasks, so {@link
 * ConformanceTable} compares the figures of every scenario that it ran.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("server")
class ConformanceTest {
  private static final String VERSION = "2026-07-28";
  private static final List<String> OF_SERVER =
      List.of(
          "server-stateless",
          "tools-list",
          "dns-rebinding-protection",
          "http-header-validation",
          "caching");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"2026-07-28", "2025-11-25"})
  void the_endpoint_does_what_the_suite_demands_of_what_it_has(String revision) throws Exception {
    var tools = new ConformanceTools();
    var endpoint =
        new McpEndpoint(tools, tools, "1", origin -> origin.contains("127.0.0.1"), (_, _) -> {});
    Route route = Route.post("/mcp", TokenScope.PUBLIC, "messages", endpoint::answer);
    var routes =
        new Routes(
            List.of(route),
            _ -> null,
            _ -> {
              throw new AssertionError("the fixture has no tenants");
            },
            () -> false);
    var place =
        Server.Place.at("127.0.0.1", 0)
            .hosts(HostRule.of("127.0.0.1", List.of()))
            .drainWithin(Duration.ofSeconds(1))
            .limits(new PeerLimits(1_000, 1_000, Duration.ofMinutes(1)));
    try (Server server = Server.start(routes, place)) {
      Path results = check("fixture", revision, server.address(), "--requirements");

      new ConformanceTable(revision, "tools of the suite").holds(results);
    }
  }

  @Test
  void a_whole_server_does_so_too() throws Exception {
    try (var server = new TestServer(folder.resolve("data"));
        var door = new TokenDoor(server.address().getPort(), server.token())) {
      Path results = null;
      for (String scenario : OF_SERVER) {
        results =
            check("server", VERSION, door.address(), "--scenario", scenario, "--spec-version");
      }

      new ConformanceTable(VERSION, "whole server").holds(Objects.requireNonNull(results));

      assertThat(door.answersToOtherHosts())
          .isNotEmpty()
          .allMatch(line -> line.startsWith("HTTP/1.1 403"));
    }
  }

  /** Returns the folder with the results. */
  private Path check(String what, String revision, URI address, String... chosen) throws Exception {
    Path lists =
        Path.of(System.getProperty("basedir", "app"), "src/test/tools/agents/expected-failures");
    var arguments = new ArrayList<>(List.of("server", "--url", address + "/mcp"));
    arguments.addAll(List.of(chosen));
    arguments.add(revision);
    arguments.add("--expected-failures");
    arguments.add(lists.resolve("%s-%s.yml".formatted(what, revision)).toAbsolutePath().toString());
    arguments.add("--output-dir");
    Path results = folder.resolve("results");
    arguments.add(results.toString());
    PublicTools.Said said =
        PublicTools.agent(
            PublicTools.agentCommand(
                "node_modules/@modelcontextprotocol/conformance/dist/index.js",
                arguments.toArray(String[]::new)));
    assertThat(said.exit()).as(said.out()).isZero();
    return results;
  }
}
