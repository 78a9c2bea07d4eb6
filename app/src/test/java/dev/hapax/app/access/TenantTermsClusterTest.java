package dev.hapax.app.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import dev.hapax.testkit.fault.PostgresServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Quotas and deletions hold on all nodes of a database. */
@Tag("server")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TenantTermsClusterTest {
  private static final String FLOW =
      """
      flow: work
      key: ${input.id}
      steps:
        - {id: note, kv: {put: {key: "${input.id}", value: "${input.id}"}}}
      """;

  private static Reply as(
      TestServer server, String token, String method, String path, @Nullable String body) {
    var request =
        server
            .request(path)
            .setHeader("Authorization", "Bearer " + token)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (path.endsWith("/draft")) {
      request.setHeader("Content-Type", "application/yaml");
    }
    return server.send(request);
  }

  @Test
  void two_nodes_start_exactly_the_runs_of_a_day_and_a_deletion_leaves_nothing_on_either(
      @TempDir Path folder) throws Exception {
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
        as(first, token, "PUT", "/api/flows/work/draft", FLOW);
        as(first, token, "POST", "/api/flows/work/releases", "{}");
        as(first, token, "PUT", "/api/flows/work/live", "{\"release\":1}");

        first.put("/api/tenants/acme/quotas", "{\"runsPerDay\":10}");

        while (!second.get("/api/tenants/acme/quotas").at("/quotas/runsPerDay").equals("10")) {
          LockSupport.parkNanos(10_000_000);
        }
        while (as(second, token, "GET", "/api/flows/work", null).status() != 200) {
          LockSupport.parkNanos(10_000_000);
        }
        assertThat(startedOnBoth(first, second, token)).isEqualTo(10);
        assertThat(second.get("/api/tenants/acme").at("/use/runsToday")).isEqualTo("10");
        delete(first, second);
      }
    }
  }

  private static int startedOnBoth(TestServer first, TestServer second, String token)
      throws InterruptedException {
    var started = new AtomicInteger();
    var threads = new ArrayList<Thread>();
    for (int worker = 0; worker < 4; worker++) {
      TestServer node = worker % 2 == 0 ? first : second;
      int mine = worker;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < 6; i++) {
                      String body = "{\"id\":\"%d-%d\"}".formatted(mine, i);
                      Reply reply = as(node, token, "POST", "/api/flows/work/runs", body);
                      assertThat(reply.status()).isIn(201, 429);
                      started.addAndGet(reply.status() == 201 ? 1 : 0);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return started.get();
  }

  private static void delete(TestServer first, TestServer second) {
    first.post("/api/tenants/acme/suspend", "{\"reason\":\"ended\"}");
    Reply begun =
        first.post(
            "/api/tenants/acme/deletion", "{\"confirm\":\"acme\",\"reason\":\"contract ended\"}");
    assertThat(begun.status()).as(begun.raw().body()).isEqualTo(200);
    for (TestServer node : List.of(first, second)) {
      Reply now = node.get("/api/tenants/acme/deletion");
      while (!now.at("/state").equals("deleted")) {
        LockSupport.parkNanos(20_000_000);
        now = node.get("/api/tenants/acme/deletion");
      }
      assertThat(now.at("/left/bytes")).isEqualTo("0");
      assertThat(now.at("/records")).isEqualTo("0");
      assertThat(node.post("/api/tenants/acme/resume", "{}").status()).isEqualTo(409);
    }
  }
}
