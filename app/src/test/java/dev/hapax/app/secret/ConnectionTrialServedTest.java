package dev.hapax.app.secret;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.testkit.fault.PostgresServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The test of a connection over HTTP. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionTrialServedTest {
  private static final String SECRET = "s3cret-of-the-bank";

  @TempDir Path folder;
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private HttpServer bank;
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    bank = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    bank.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    bank.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestURI().getPath().equals("/slow")) {
            asked.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          boolean known =
              ("Bearer " + SECRET).equals(exchange.getRequestHeaders().getFirst("Authorization"));
          exchange.sendResponseHeaders(known ? 204 : 401, -1);
          exchange.close();
        });
    bank.start();
    server = new TestServer(folder);
  }

  @AfterEach
  void stop() {
    goOn.countDown();
    server.close();
    bank.stop(0);
  }

  private void connect(String name, String test) {
    Reply written =
        server.put(
            "/api/connections/" + name,
            """
            {"http": {"base": "http://127.0.0.1:%d", "auth": {"bearer": "bank-token"}, "privateHosts": ["127.0.0.1"], "test": "%s"}}"""
                .formatted(bank.getAddress().getPort(), test));
    assertThat(written.status()).as(written.raw().body()).isEqualTo(200);
  }

  private void secret(String value) {
    assertThat(
            server.put("/api/secrets/bank-token", "{\"value\": \"%s\"}".formatted(value)).status())
        .isEqualTo(204);
  }

  private Reply test(String name) {
    return server.post("/api/connections/%s/test".formatted(name), "");
  }

  @Test
  void a_test_says_which_stage_failed_shows_no_secret_and_is_audited() {
    secret("wrong");
    connect("bank", "/me");

    Reply wrong = test("bank");
    secret(SECRET);
    Reply right = test("bank");

    assertThat(wrong.status()).isEqualTo(200);
    assertThat(wrong.at("/ok")).isEqualTo("false");
    assertThat(wrong.at("/stages/3/stage")).isEqualTo("authenticate");
    assertThat(wrong.at("/stages/3/fix")).contains("bank-token");
    assertThat(right.at("/ok")).isEqualTo("true");
    assertThat(right.at("/kind")).isEqualTo("http");
    assertThat(right.raw().body()).doesNotContain(SECRET);
    assertThat(server.get("/api/audit?limit=50").raw().body())
        .contains("/api/connections/{name}/test", "name=bank");
  }

  @Test
  void a_test_needs_the_right_to_use_connections_and_sees_its_own_tenant_only() {
    connect("bank", "/me");
    String wish =
        "{\"name\": \"writer\", \"scopes\": [\"connections:write\", \"connections:read\"]}";
    String writer = server.post("/api/tokens", wish).at("/token");

    assertThat(as(writer).status()).isEqualTo(403);
    assertThat(as(server.tokenOf("rival")).status()).isEqualTo(404);
    assertThat(test("absent").status()).isEqualTo(404);
  }

  private Reply as(String token) {
    return server.send(
        server
            .request("/api/connections/bank/test")
            .setHeader("Authorization", "Bearer " + token)
            .POST(BodyPublishers.noBody()));
  }

  @Test
  void a_connection_is_tested_once_at_a_time() throws Exception {
    secret(SECRET);
    connect("bank", "/slow");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Reply> first = threads.submit(() -> test("bank"));
      asked.await();

      Reply second = test("bank");
      goOn.countDown();

      assertThat(second.status()).isEqualTo(429);
      assertThat(first.get().at("/ok")).isEqualTo("true");
      assertThat(test("bank").at("/ok")).isEqualTo("true");
    }
  }

  @Test
  void a_test_path_that_is_no_path_is_refused() {
    Reply refused =
        server.put(
            "/api/connections/bank",
            "{\"http\": {\"base\": \"https://b.example\", \"test\": \"a b\"}}");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.at("/detail")).contains("http.test: expected a path such as /health");
  }

  @Test
  @Tag("server")
  void a_database_is_logged_into_and_asked_and_a_wrong_one_is_said() {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    URI url = URI.create(PostgresServer.shared().newDatabase().substring("jdbc:".length()));
    database("books", url, url.getPath().substring(1));
    database("lost", url, "no_such_database");

    Reply right = test("books");
    Reply wrong = test("lost");

    assertThat(right.at("/ok")).as(right.raw().body()).isEqualTo("true");
    assertThat(right.at("/kind")).isEqualTo("postgres");
    assertThat(right.at("/stages/2/detail")).startsWith("SELECT 1 in database");
    assertThat(wrong.at("/ok")).isEqualTo("false");
    assertThat(wrong.at("/stages/2/detail")).contains("no_such_database");
  }

  private void database(String name, URI url, String database) {
    Reply written =
        server.put(
            "/api/connections/" + name,
            """
            {"postgres": {"host": "%1$s", "port": %2$d, "database": "%3$s", "user": "%4$s", "tls": "none", "privateHosts": ["%1$s"]}}"""
                .formatted(
                    url.getHost(),
                    url.getPort(),
                    database,
                    url.getQuery().replaceAll(".*user=([^&]+).*", "$1")));
    assertThat(written.status()).as(written.raw().body()).isEqualTo(200);
  }
}
