package dev.hapax.app.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.ServerCalls;
import dev.hapax.app.ServerCalls.Reply;
import dev.hapax.app.ServerProcess;
import dev.hapax.json.Json;
import dev.hapax.testkit.fault.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * A server that is killed while an effect without a flow is in flight: its destination has done it
 * and holds the answer. The same call after the restart finds one effect, or the guard's review.
 */
@Tag("crash")
@Tag("server")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
@Order(1)
class OnceKillTest {
  private static final String LOOKUP =
      """
      {"lookup": {"http": {"connection": "psp", "path": "/charges"}, "found": "${response.status == 200}",
                  "output": "${response.body}", "settle": "1s"}}
      """;
  private static final String REST =
      """
      "timeout": "3s", "retry": {"attempts": 50, "delay": "100ms", "maxDelay": "1s", "within": "1h"}""";
  private static final String MCP = "2026-07-28";

  @TempDir Path folder;
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch open = new CountDownLatch(1);
  private final List<String> sent = new ArrayList<>(); // guarded by itself, as is the next
  private final List<String> done = new ArrayList<>();
  private HttpServer psp;
  private String database = "";

  @BeforeEach
  void serve() throws IOException {
    psp = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    psp.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    psp.createContext("/", this::answer);
    psp.start();
  }

  @AfterEach
  void stop() {
    open.countDown();
    callers.shutdownNow();
    psp.stop(0);
  }

  /** Does what it is asked, unless it knows the key or the state; the first answer is held. */
  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      boolean isFirst = false;
      int status = 200;
      synchronized (sent) {
        if (exchange.getRequestMethod().equals("GET")) {
          status = done.isEmpty() ? 404 : 200;
        } else {
          String key = exchange.getRequestHeaders().getFirst("X-Pay-Once");
          String what = key == null ? exchange.getRequestMethod() + " " + body : key;
          isFirst = sent.isEmpty();
          sent.add(what);
          boolean isKnown = key != null || exchange.getRequestMethod().equals("PUT");
          if (!isKnown || !done.contains(what)) {
            done.add(what);
          }
        }
      }
      if (isFirst) {
        arrived.countDown();
        open.await();
      }
      byte[] bytes = "{\"id\": \"ch_1\"}".getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "api, keyed, 2",
    "mcp, keyed, 2",
    "api, upsert, 2",
    "mcp, upsert, 2",
    "api, lookup, 1",
    "mcp, lookup, 1",
    "api, none, 1",
    "mcp, none, 1"
  })
  void a_call_whose_server_was_killed_in_flight_is_one_effect(String door, String guard, int sends)
      throws Exception {
    String request = http(guard);
    try (ServerProcess first = started()) {
      put(first, "psp", psp());
      var _ = callers.submit(() -> call(first, door, request));
      arrived.await();
      first.kill();
    }
    open.countDown();

    try (ServerProcess second = started()) {
      JsonNode end = end(second, door, request, guard.equals("none") ? "review" : "succeeded");

      assertThat(call(second, door, request).path("run")).isEqualTo(end.path("run"));
      assertThat(done).hasSize(1);
      assertThat(sent).hasSize(sends).containsOnly(done.getFirst());
      assertThat(second.get(second.token(), "/api/runs?flow=hapax.once").json().path("items"))
          .hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"api", "mcp"})
  void a_write_whose_server_was_killed_in_its_transaction_is_one_row(String door) throws Exception {
    assumeTrue(PostgresServer.obstacle() == null, PostgresServer.obstacle());
    database = PostgresServer.shared().newDatabase();
    String request =
        """
        {"effect": {"name": "charge", "key": "A-1", "guard": "transaction"}, "connection": "books",
         "db": {"sql": "INSERT INTO charges (cents) VALUES (:cents)", "params": {"cents": 40}}, %s}
        """
            .formatted(REST);
    try (Connection books = DriverManager.getConnection(database);
        ServerProcess first = started()) {
      run(books, "CREATE TABLE charges (cents bigint)");
      put(first, "books", books());
      books.setAutoCommit(false);
      run(books, "LOCK TABLE charges IN ACCESS EXCLUSIVE MODE"); // holds the write in flight
      var _ = callers.submit(() -> call(first, door, request));
      awaitBlockedWrite();
      first.kill();
      books.rollback();
    }

    try (ServerProcess second = started();
        Connection books = DriverManager.getConnection(database)) {
      JsonNode end = end(second, door, request, "succeeded");

      assertThat(call(second, door, request).path("run")).isEqualTo(end.path("run"));
      assertThat(count(books, "SELECT count(*) FROM charges")).isEqualTo(1);
    }
  }

  private void awaitBlockedWrite() throws SQLException {
    try (Connection looking = DriverManager.getConnection(database)) {
      String blocked =
          "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
              + " WHERE NOT l.granted AND d.datname = current_database()";
      while (count(looking, blocked) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  private static void run(Connection on, String sql) throws SQLException {
    try (var statement = on.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int count(Connection on, String sql) throws SQLException {
    try (var statement = on.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  // ---- the server and its callers

  private ServerProcess started() throws Exception {
    return new ServerProcess(folder, List.of("-XX:TieredStopAtLevel=1"));
  }

  private static void put(ServerProcess server, String connection, Map<String, ?> form)
      throws Exception {
    ServerCalls.must(
        server.ask(server.token(), "PUT", "/api/connections/" + connection, Json.write(form)));
  }

  private Map<String, ?> psp() {
    return Map.of(
        "http",
        Map.of(
            "base",
            "http://127.0.0.1:" + psp.getAddress().getPort(),
            "privateHosts",
            List.of("127.0.0.1"),
            "idempotency",
            Map.of("header", "X-Pay-Once", "window", "24h")));
  }

  private Map<String, ?> books() {
    URI place = URI.create(database.substring("jdbc:".length()));
    return Map.of(
        "postgres",
        Map.of(
            "host", place.getHost(),
            "port", place.getPort(),
            "database", place.getPath().substring(1),
            "user", "hapax",
            "tls", "none",
            "privateHosts", List.of(place.getHost())));
  }

  private static String http(String guard) {
    boolean isUpsert = guard.equals("upsert");
    return """
        {"effect": {"name": "charge", "key": "A-1", "guard": %s, "kind": "%s"}, "connection": "psp",
         "http": {"method": "%s", "path": "/charges", "body": {"cents": 40}}, %s}
        """
        .formatted(
            guard.equals("lookup") ? LOOKUP : "\"" + guard + "\"",
            isUpsert ? "update" : "create",
            isUpsert ? "PUT" : "POST",
            REST);
  }

  /** Makes the call, again and again, until its run is at rest. */
  private static JsonNode end(ServerProcess server, String door, String request, String state)
      throws Exception {
    while (true) {
      JsonNode got = call(server, door, request);
      String now = got.path("state").asString(got.path("status").asString(""));
      if (now.equals(state)) {
        return got;
      }
      assertThat(now).as("%s", got).isIn("running", "waiting", "queued");
    }
  }

  /** Returns the run as the API shows it, with a state, or as the tool does, with a status. */
  private static JsonNode call(ServerProcess server, String door, String request) throws Exception {
    if (door.equals("api")) {
      return ServerCalls.must(
              server.ask(server.token(), "POST", "/api/once", request, "Prefer", "wait=2"))
          .json();
    }
    String prefix = "io.modelcontextprotocol/";
    String message =
        Json.write(
            Map.of(
                "jsonrpc",
                "2.0",
                "id",
                1,
                "method",
                "tools/call",
                "params",
                Map.of(
                    "name",
                    "once",
                    "arguments",
                    Json.tree(request),
                    "_meta",
                    Map.of(
                        prefix + "protocolVersion",
                        MCP,
                        prefix + "clientCapabilities",
                        Map.of()))));
    Reply reply =
        server.ask(
            server.token(),
            "POST",
            "/mcp",
            message,
            "Accept",
            "application/json, text/event-stream",
            "MCP-Protocol-Version",
            MCP,
            "Mcp-Method",
            "tools/call",
            "Mcp-Name",
            "once");
    return ServerCalls.must(reply).json().at("/result/structuredContent");
  }
}
