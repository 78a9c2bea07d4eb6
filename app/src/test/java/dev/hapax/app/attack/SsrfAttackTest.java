package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.ClosedAddresses;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Flows that want to reach the server's own machine, its network, or the metadata of its cloud. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Tag("attack")
class SsrfAttackTest {
  @TempDir private static Path folder;
  private static ServerProcess server;
  private static WaysOut ways;

  @BeforeAll
  static void start() throws Exception {
    server = new ServerProcess(folder, List.of("-Xmx256m"));
    ways = new WaysOut(server);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    ways.close();
  }

  /** One of each kind, and all spellings of this machine. */
  private static List<String> some(List<String> hosts) {
    return hosts.stream()
        .filter(
            host ->
                ClosedAddresses.KINDS.contains(host) || host.matches("(0x|0\\d|127\\.0|2130).*"))
        .toList();
  }

  @Test
  void no_spelling_of_a_closed_address_is_reached_in_any_way() throws Exception {
    List<String> hosts = ClosedAddresses.hosts();
    var outcomes = new LinkedHashMap<String, Map<String, String>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var led = new LinkedHashMap<String, Future<Map<String, String>>>();
      led.put("url", threads.submit(() -> ways.lead("url", hosts)));
      led.put("message", threads.submit(() -> ways.lead("message", ClosedAddresses.KINDS)));
      for (String way : WaysOut.BY_CONNECTION) {
        // A message to a host that is not found would be tried again for days.
        List<String> some = way.equals("receiver") ? ClosedAddresses.KINDS : some(hosts);
        led.put(way, threads.submit(() -> ways.lead(way, some)));
      }
      for (var one : led.entrySet()) {
        outcomes.put(one.getKey(), one.getValue().get());
      }
    }

    int attempts = 0;
    for (var way : outcomes.entrySet()) {
      boolean isMessage = Set.of("message", "receiver").contains(way.getKey());
      for (var host : way.getValue().entrySet()) {
        assertThat(host.getValue())
            .as("%s to %s", way.getKey(), host.getKey())
            .matches(isMessage ? "published|bad-address" : REFUSED);
        attempts++;
      }
    }
    for (String destination : List.of("url", "out-receiver")) {
      assertThat(ways.deliveries(destination))
          .hasSize(ClosedAddresses.KINDS.size())
          .allMatch("address-refused"::equals);
    }
    ways.assertUnreached();
    AttackTable.held(
        SsrfAttackTest.class, "Spellings of closed addresses, in every way out", attempts);
  }

  @Test
  void no_test_of_a_connection_reaches_a_closed_address() throws Exception {
    int attempts = 0;
    for (String way : WaysOut.BY_CONNECTION) {
      for (String host : ClosedAddresses.KINDS) {
        assertThat(ways.test(way, host))
            .as("%s to %s", way, host)
            .matches(
                "bad-address|resolve: .*(which flows may not reach|the address of host '.*' was not found).*");
        attempts++;
      }
    }
    ways.assertUnreached();
    AttackTable.held(SsrfAttackTest.class, "Tests of connections to closed addresses", attempts);
  }

  static final String REFUSED =
      "address-refused|bad-address|.*which flows may not reach.*|.*the address of host '.*' was not found.*";

  @Test
  void no_redirect_is_followed_to_a_closed_address() throws Exception {
    List<Integer> statuses = List.of(300, 301, 302, 303, 307, 308);
    try (var redirects = new HostileServer(SsrfAttackTest::redirect)) {
      Map<String, Object> form =
          Map.of(
              "base", "http://127.0.0.1:" + redirects.port(), "privateHosts", Set.of("127.0.0.1"));
      ServerProcess.must(
          server.ask(
              server.token(),
              "PUT",
              "/api/connections/redirects",
              Json.write(Map.of("http", form))));
      server.release(
          server.token(),
          """
          flow: redirected
          steps:
            - id: ask
              http: {connection: redirects, path: "/${input.status}/${input.host}/${input.port}"}
              retry: {attempts: 1}
          """);
      int attempts = 0;
      for (String host : ClosedAddresses.KINDS) {
        for (int status : statuses) {
          var input = Map.of("status", status, "host", host, "port", ways.trap.port());
          ServerProcess.must(
              server.ask(
                  server.token(),
                  "POST",
                  "/api/flows/redirected/runs",
                  Json.write(input),
                  "Prefer",
                  "wait=20"));
          attempts++;
        }
      }
      assertThat(redirects.counted("asked")).isEqualTo(attempts);
      ways.assertUnreached();
      AttackTable.held(SsrfAttackTest.class, "Redirects to closed addresses", attempts);
    }
  }

  /** Answers {@code /302/host/port} with a redirect to there. */
  private static void redirect(HostileServer server, Socket client) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = client.getInputStream().read();
      if (next < 0) {
        return;
      }
      head.append((char) next);
    }
    server.count("asked");
    String[] path = head.toString().split(" ", 3)[1].split("/", -1);
    String host = path[2].replace("%5B", "[").replace("%5D", "]").replace("%3A", ":");
    String place = "http://%s:%s/".formatted(host, path[3]);
    client
        .getOutputStream()
        .write(
            HostileServer.bytes(
                "HTTP/1.1 %s Moved\r\nLocation: %s\r\nRefresh: 0; url=%s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .formatted(path[1], place, place)));
  }
}
