package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Every way in which a flow can reach another system, each led to a host of the attacker's choice.
 * The trap listens on 127.0.0.1: a host that hides this address would reach it.
 */
final class WaysOut implements AutoCloseable {
  /** The ways that take a host from a connection; {@code url} and {@code message} take an input. */
  static final List<String> BY_CONNECTION =
      List.of("http", "https", "lookup", "mail", "database", "receiver");

  static final Set<String> REFUSALS = Set.of("address-refused", "bad-address");

  private static final Map<String, String> FLOWS =
      Map.of(
          "url",
          "http: {url: \"${input.url}\"}",
          "message",
          "publish: {url: \"${input.url}\", type: t, data: 1}",
          "http",
          "http: {connection: out-http, path: /x}",
          "https",
          "http: {connection: out-https, method: POST, path: /x}\n    effect: {kind: create, key: \"${input.n}\", guard: none}",
          "lookup",
          "http: {connection: sink, method: POST, path: /x}\n    effect: {kind: create, key: \"${input.n}\", guard: {lookup: {http: {connection: out-lookup, path: /x}, found: \"${true}\", settle: 1ms}}}",
          "mail",
          "email: {connection: out-mail, to: a@example.org, subject: s, text: t}\n    effect: {kind: notify, key: \"${input.n}\", guard: none}",
          "database",
          "db: {connection: out-database, sql: \"SELECT 1\"}",
          "receiver",
          "publish: {connection: out-receiver, type: t, data: 1}");

  final HostileServer trap =
      new HostileServer(
          (server, client) -> {
            server.count("reached");
            HostileServer.silence(client, "");
          });

  /** Receives writes whose lookup found nothing, which never happens. */
  final RecordingServer sink = new RecordingServer();

  private final ServerProcess server;
  private final AtomicInteger number = new AtomicInteger();

  WaysOut(ServerProcess server) throws Exception {
    this.server = server;
    connect(
        "sink",
        Map.of(
            "http",
            Map.of(
                "base", "http://127.0.0.1:" + sink.port(), "privateHosts", Set.of("127.0.0.1"))));
    for (String way : FLOWS.keySet()) {
      if (BY_CONNECTION.contains(way)) {
        connect("out-" + way, form(way, "192.0.2.1"));
      }
      String retry =
          FLOWS.get(way).startsWith("publish") ? "" : "    timeout: 5s\n    retry: {attempts: 1}\n";
      server.release(
          server.token(),
          "flow: %s\nsteps:\n  - id: out\n    %s\n%s".formatted(way, FLOWS.get(way), retry));
    }
  }

  private Reply connect(String name, Object form) throws Exception {
    return server.ask(server.token(), "PUT", "/api/connections/" + name, Json.write(form));
  }

  /** The connection of a way, to this host; the port is that of the trap. */
  private Map<String, Object> form(String way, String host) {
    int port = trap.port();
    String address = host + ":" + port;
    return switch (way) {
      case "http", "lookup" -> Map.of("http", http("http://" + address));
      case "https" -> Map.of("http", http("https://" + address));
      case "receiver" -> Map.of("webhook", Map.of("url", "http://" + address + "/hook"));
      case "mail" ->
          Map.of(
              "smtp",
              Map.of("host", host, "port", port, "tls", "none", "from", "shop@example.org"));
      default ->
          Map.of(
              "postgres",
              Map.of("host", host, "port", port, "tls", "none", "database", "books", "user", "me"));
    };
  }

  private static Map<String, Object> http(String base) {
    return Map.of("base", base, "connectTimeout", "200ms");
  }

  /** Leads a way to a host, and returns what came of it; a way that ends well is an error. */
  Map<String, String> lead(String way, Iterable<String> hosts) throws Exception {
    var outcomes = new LinkedHashMap<String, String>();
    for (String host : hosts) {
      outcomes.put(host, lead(way, host));
    }
    return outcomes;
  }

  private String lead(String way, String host) throws Exception {
    if (BY_CONNECTION.contains(way)) {
      Reply written = connect("out-" + way, form(way, host));
      if (written.status() == 400) {
        return "bad-address"; // it is no host, and no connection can have it
      }
      ServerProcess.must(written);
    }
    var input = new LinkedHashMap<String, Object>();
    input.put("n", way + "-" + number.incrementAndGet());
    input.put("url", "http://" + host + ":" + trap.port() + "/x");
    Reply run =
        ServerProcess.must(
            server.ask(
                server.token(),
                "POST",
                "/api/flows/" + way + "/runs",
                Json.write(input),
                "Prefer",
                "wait=20"));
    if (Set.of("message", "receiver").contains(way)) {
      assertThat(run.at("/status"))
          .as("%s to %s: %s", way, host, run.text())
          .isEqualTo("succeeded");
      return "published"; // its delivery is another run
    }
    assertThat(run.at("/status")).as("%s to %s: %s", way, host, run.text()).isEqualTo("failed");
    return REFUSALS.contains(run.at("/error/code"))
        ? run.at("/error/code")
        : run.at("/error/message");
  }

  /** Tests a connection that leads to this host, and returns its last stage. */
  String test(String way, String host) throws Exception {
    Reply written = connect("out-" + way, form(way, host));
    if (written.status() == 400) {
      return "bad-address";
    }
    ServerProcess.must(written);
    Reply tested =
        ServerProcess.must(
            server.ask(
                server.token(), "POST", "/api/connections/out-%s/test".formatted(way), null));
    var last = tested.json().path("stages").path(tested.json().path("stages").size() - 1);
    assertThat(tested.json().path("ok").asBoolean(true))
        .as("%s to %s: %s", way, host, tested.text())
        .isFalse();
    return last.path("stage").asString() + ": " + last.path("detail").asString();
  }

  /** Waits until no delivery is under way, and returns how each ended. */
  List<String> deliveries(String destination) throws Exception {
    List<String> ends = List.of();
    boolean isOver = false;
    while (!isOver) { // the test's own time limit ends this
      ends = new ArrayList<>();
      isOver = true;
      String after = "";
      do {
        Reply page =
            server.get(
                server.token(),
                "/api/runs?flow=hapax%2Fdeliver%2F" + destination + "&limit=200" + after);
        for (var run : ServerProcess.must(page).json().path("items")) {
          isOver &= Set.of("failed", "succeeded").contains(run.path("status").asString());
          ends.add(run.at("/error/code").asString(run.path("status").asString()));
        }
        String next = page.at("/next");
        after = next.isEmpty() ? "" : "&after=" + next;
      } while (!after.isEmpty());
      LockSupport.parkNanos(20_000_000);
    }
    return ends;
  }

  /** Nothing has come to the trap or to the sink. */
  void assertUnreached() {
    assertThat(trap.counted("reached")).as("connections to 127.0.0.1").isZero();
    assertThat(sink.heads).as("writes although the lookup was refused").isEmpty();
  }

  @Override
  public void close() throws IOException {
    trap.close();
    sink.close();
  }
}
