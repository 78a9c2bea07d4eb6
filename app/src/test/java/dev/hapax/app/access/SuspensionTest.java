package dev.hapax.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.testkit.fault.PostgresServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A suspended tenant is refused and waits; nothing of it is lost. */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SuspensionTest {
  private static final String FLOW =
      """
      flow: shop
      key: ${input.id}
      triggers:
        - webhook: {path: orders, verify: {scheme: none}, event: "${event.body.id}", input: "${event.body}"}
      steps:
        - id: link
          set: {url: "${callback('answer').url}"}
        - id: answer
          wait: {callback: {expires: 1h}}
      output: {answer: "${steps.answer.output}"}
      """;

  private static Reply as(
      TestServer server,
      @Nullable String token,
      String method,
      String path,
      @Nullable String body) {
    var request =
        server
            .request(path)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (path.endsWith("/draft")) {
      request.setHeader("Content-Type", "application/yaml");
    }
    return server.send(
        token == null ? request : request.setHeader("Authorization", "Bearer " + token));
  }

  @Test
  void a_suspended_tenant_is_refused_its_runs_wait_and_all_goes_on_later(@TempDir Path folder)
      throws Exception {
    String token;
    String run;
    String callback;
    try (var server = new TestServer(folder)) {
      server.post("/api/tenants", "{\"name\":\"acme\"}");
      token = server.post("/api/tenants/acme/tokens", "{}").at("/token");
      as(server, token, "PUT", "/api/flows/shop/draft", FLOW);
      as(server, token, "POST", "/api/flows/shop/releases", "{}");
      as(server, token, "PUT", "/api/flows/shop/live", "{\"release\":1}");
      run = as(server, token, "POST", "/api/flows/shop/runs", "{\"id\":\"1\"}").at("/id");
      callback = awaitCallback(server, token, run);
      assertThat(server.post("/api/tenants/acme/suspend", "{}").status()).isEqualTo(400);
      assertThat(server.post("/api/tenants/default/suspend", "{\"reason\":\"x\"}").status())
          .isEqualTo(409);
      assertThat(server.post("/api/tenants/none/suspend", "{\"reason\":\"x\"}").status())
          .isEqualTo(404);

      Reply suspended = server.post("/api/tenants/acme/suspend", "{\"reason\":\"unpaid\"}");

      assertThat(suspended.at("/state")).isEqualTo("suspended");
      Reply refused = as(server, token, "GET", "/api/runs", null);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.at("/detail")).contains("unpaid", "Ask the operator");
      Reply delivery = as(server, null, "POST", "/hooks/acme/orders", "{\"id\":\"2\"}");
      assertThat(delivery.status()).isEqualTo(503);
      assertThat(delivery.header("Retry-After")).isEqualTo("60");
      // An answer to a run is recorded, and the run continues later.
      assertThat(as(server, null, "POST", callback, "{\"ok\":true}").status()).isEqualTo(200);
      assertThat(server.get("/api/runs").status()).isEqualTo(200);
    }
    try (var server = new TestServer(folder)) {
      assertThat(as(server, token, "GET", "/api/runs", null).status()).isEqualTo(403);
      assertThat(server.get("/api/tenants").at("/items/0/state")).isEqualTo("suspended");

      Reply resumed = server.post("/api/tenants/acme/resume", "{\"reason\":\"paid\"}");

      assertThat(resumed.at("/state")).isEqualTo("active");
      Reply ended = null;
      while (ended == null || !ended.at("/status").equals("succeeded")) {
        ended = as(server, token, "GET", "/api/runs/" + run, null);
        LockSupport.parkNanos(10_000_000);
      }
      assertThat(ended.at("/output/answer/ok")).isEqualTo("true");
      assertThat(as(server, null, "POST", "/hooks/acme/orders", "{\"id\":\"2\"}").status())
          .isEqualTo(200);
      assertThat(as(server, token, "GET", "/api/audit", null).raw().body())
          .contains("suspend tenant", "unpaid", "resume tenant", "paid");
      assertThat(server.get("/api/audit").raw().body())
          .contains("POST /api/tenants/{name}/suspend");
    }
  }

  /** The node that is asked suspends at once, the other one within two seconds; neither works. */
  @Test
  @Tag("server")
  void a_suspension_holds_on_all_nodes_of_a_database(@TempDir Path folder) throws Exception {
    String obstacle = PostgresServer.obstacle();
    Assumptions.assumeTrue(obstacle == null, obstacle);
    String store = "store.url=" + PostgresServer.shared().newDatabase();
    Path one = folder.resolve("one");
    Path two = Files.createDirectory(folder.resolve("two"));
    try (var first = new TestServer(one, store)) {
      for (String file : List.of("master.key", "admin.token")) {
        Files.copy(one.resolve(file), two.resolve(file));
      }
      try (var second = new TestServer(two, store)) {
        first.post("/api/tenants", "{\"name\":\"acme\"}");
        String token = first.post("/api/tenants/acme/tokens", "{}").at("/token");
        as(first, token, "PUT", "/api/flows/shop/draft", FLOW);
        as(first, token, "POST", "/api/flows/shop/releases", "{}");
        as(first, token, "PUT", "/api/flows/shop/live", "{\"release\":1}");
        var runs = new ArrayList<String>();
        var callbacks = new ArrayList<String>();
        for (int i = 0; i < 6; i++) {
          String body = "{\"id\":\"%d\"}".formatted(i);
          String run = as(first, token, "POST", "/api/flows/shop/runs", body).at("/id");
          runs.add(run);
          callbacks.add(awaitCallback(first, token, run));
        }

        first.post("/api/tenants/acme/suspend", "{\"reason\":\"unpaid\"}");

        assertThat(as(first, token, "GET", "/api/runs", null).status()).isEqualTo(403);
        while (as(second, token, "GET", "/api/runs", null).status() != 403) {
          LockSupport.parkNanos(10_000_000);
        }
        assertThat(as(second, null, "POST", "/hooks/acme/orders", "{\"id\":\"9\"}").status())
            .isEqualTo(503);
        for (int i = 0; i < callbacks.size(); i++) {
          TestServer node = i % 2 == 0 ? first : second;
          assertThat(as(node, null, "POST", callbacks.get(i), "{\"ok\":true}").status())
              .isEqualTo(200);
        }
        for (TestServer node : List.of(first, second)) { // both nodes work for the other tenants
          String free = "{\"id\":\"%s\"}".formatted(node.address().getPort());
          assertThat(node.post("/api/flows/free/runs", free, "Prefer", "wait=20").at("/status"))
              .isEqualTo("succeeded");
        }
        Instant resumed = Instant.now();
        assertThat(second.post("/api/tenants/acme/resume", "{\"reason\":\"paid\"}").at("/state"))
            .isEqualTo("active");

        for (String run : runs) {
          Reply ended = as(second, token, "GET", "/api/runs/" + run, null);
          while (!ended.at("/status").equals("succeeded")) {
            LockSupport.parkNanos(10_000_000);
            ended = as(second, token, "GET", "/api/runs/" + run, null);
          }
          assertThat(Instant.parse(ended.at("/endedAt")))
              .as("no run went on while its tenant was suspended")
              .isAfterOrEqualTo(resumed);
        }
      }
    }
  }

  private static String awaitCallback(TestServer server, String token, String run) {
    while (true) {
      Reply history = as(server, token, "GET", "/api/runs/" + run + "/history", null);
      for (var entry : history.body().path("items")) {
        String url = entry.at("/output/url").asString("");
        if (!url.isEmpty()
            && as(server, token, "GET", "/api/runs/" + run, null).at("/status").equals("waiting")) {
          return url.substring(url.indexOf("/api/callbacks/"));
        }
      }
      LockSupport.parkNanos(10_000_000);
    }
  }
}
