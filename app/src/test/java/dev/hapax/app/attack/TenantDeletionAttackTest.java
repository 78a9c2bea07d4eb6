package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.ServerProcess;
import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A deleted tenant goes completely, also in a crash, and no other tenant loses anything. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TenantDeletionAttackTest {
  private static final String FLOW =
      """
      flow: work
      key: ${input.id}
      triggers:
        - webhook: {path: work, verify: {scheme: none}, event: "${event.body.id}", input: "${event.body}"}
        - schedule: {name: yearly, cron: "0 3 1 1 *", timezone: Europe/Berlin, input: {id: "${schedule.time}"}}
      steps:
        - {id: note, kv: {put: {key: "${input.id}", value: "${input.id}"}}}
      """;

  private static final String PAY =
      """
      flow: pay
      key: ${input.id}
      steps:
        - id: pay
          call: {handler: charge, input: "${input.id}"}
          effect: {kind: create, key: "${input.id}", guard: none}
          retry: {attempts: 1}
      """;

  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void open() throws Exception {
    server = new TestServer(folder, "http.requestsPerToken=off", "http.requestsPerAddress=off");
  }

  @AfterAll
  static void close() {
    server.close();
  }

  private static String tenant(String name, String... flows) {
    server.post("/api/tenants", "{\"name\":\"%s\"}".formatted(name));
    String token = server.post("/api/tenants/%s/tokens".formatted(name), "{}").at("/token");
    for (String text : flows) {
      String flow = "/api/flows/" + text.lines().findFirst().orElseThrow().substring(6);
      assertThat(as(token, "PUT", flow + "/draft", text).status()).isEqualTo(200);
      as(token, "POST", flow + "/releases", "{}");
      Reply live = as(token, "PUT", flow + "/live", "{\"release\":1}");
      assertThat(live.status()).as(live.raw().body()).isEqualTo(200);
    }
    return token;
  }

  private static Reply as(String token, String method, String path, @Nullable String body) {
    return server.send(
        server
            .request(path)
            .setHeader("Authorization", "Bearer " + token)
            .setHeader(
                "Content-Type", path.endsWith("/draft") ? "application/yaml" : "application/json")
            .method(
                method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
  }

  private static void fill(String token, String tenant, int runs) {
    for (int i = 0; i < runs; i++) {
      Reply started =
          as(token, "POST", "/api/flows/work/runs", "{\"id\":\"%s-%d\"}".formatted(tenant, i));
      assertThat(started.status()).isEqualTo(201);
    }
    assertThat(
            server
                .post("/hooks/%s/work".formatted(tenant), "{\"id\":\"%s hook\"}".formatted(tenant))
                .status())
        .isEqualTo(200);
    assertThat(as(token, "PUT", "/api/secrets/bank", "{\"value\":\"0123456789\"}").status())
        .isLessThan(300);
    assertThat(
            as(
                    token,
                    "PUT",
                    "/api/connections/bank",
                    "{\"http\":{\"base\":\"https://bank.example\",\"auth\":{\"bearer\":\"bank\"}}}")
                .status())
        .isLessThan(300);
  }

  private static Reply delete(String tenant, String more) {
    return server.post(
        "/api/tenants/%s/deletion".formatted(tenant),
        "{\"confirm\":\"%s\",\"reason\":\"contract ended\"%s}".formatted(tenant, more));
  }

  private static Reply awaitDeleted(String tenant) {
    Reply now = server.get("/api/tenants/%s/deletion".formatted(tenant));
    while (!now.at("/state").equals("deleted")) {
      LockSupport.parkNanos(20_000_000);
      now = server.get("/api/tenants/%s/deletion".formatted(tenant));
    }
    return now;
  }

  @Test
  void a_tenant_goes_completely_while_it_tries_to_start_and_is_deleted_twice() throws Exception {
    String token = tenant("acme", FLOW);
    String other = tenant("acme-2", FLOW); // begins with the same name
    fill(token, "acme", 25);
    fill(other, "acme-2", 3);
    int attempts = 0;
    for (String early : List.of("", ",\"force\":true")) {
      attempts++;
      assertThat(delete("acme", early).status()).isEqualTo(409); // not suspended
    }
    for (String wrong : List.of("{}", "{\"confirm\":\"acme\"}", "{\"confirm\":\"acme-2\"}", "[]")) {
      attempts++;
      assertThat(server.post("/api/tenants/acme/deletion", wrong).status()).isEqualTo(400);
    }
    for (String theirs : List.of("acme", "acme-2", "default", "none")) {
      attempts++;
      assertThat(as(other, "POST", "/api/tenants/%s/deletion".formatted(theirs), "{}").status())
          .isEqualTo(403);
    }
    Reply plan = server.get("/api/tenants/acme/deletion");
    assertThat(plan.at("/left/runs")).isEqualTo("26");
    assertThat(plan.at("/left/events")).isEqualTo("1");
    assertThat(plan.at("/left/schedules")).isEqualTo("1");
    assertThat(plan.at("/hindrances/0")).contains("suspend it first");
    Reply before = server.get("/api/tenants/acme-2/deletion");
    var stops = new AtomicBoolean();
    var started = new AtomicInteger();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 2; i++) {
      threads.add(Thread.ofVirtual().start(() -> keepStarting(token, stops, started)));
    }
    while (started.get() < 5) {
      LockSupport.parkNanos(1_000_000);
    }

    server.post("/api/tenants/acme/suspend", "{\"reason\":\"ended\"}");
    for (int i = 0; i < 10; i++) {
      attempts++;
      Reply begun = delete("acme", "");
      assertThat(begun.status()).as(begun.raw().body()).isEqualTo(200);
      assertThat(begun.at("/state")).isIn("deleting", "deleted");
    }
    assertThat(server.post("/api/tenants/acme/resume", "{}").status()).isEqualTo(409);
    Reply gone = awaitDeleted("acme");
    stops.set(true);
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(gone.at("/left/bytes")).isEqualTo("0");
    assertThat(gone.at("/records")).isEqualTo("0");
    assertThat(gone.at("/deletion/reason")).isEqualTo("contract ended");
    assertThat(as(token, "GET", "/api/runs", null).status()).isIn(401, 403);
    assertThat(server.post("/hooks/acme/work", "{\"id\":\"late\"}").status()).isEqualTo(404);
    assertThat(server.post("/api/tenants", "{\"name\":\"acme\"}").status()).isEqualTo(409);
    assertThat(server.post("/api/tenants/acme/tokens", "{}").status()).isEqualTo(409);
    assertThat(server.get("/api/tenants/acme").at("/state")).isEqualTo("deleted");
    assertThat(server.get("/api/audit?limit=200").raw().body())
        .contains("delete tenant", "tenant deleted", "contract ended");
    Reply after = server.get("/api/tenants/acme-2/deletion");
    for (String kept : List.of("/left/runs", "/left/events", "/left/schedules", "/records")) {
      assertThat(after.at(kept)).as(kept).isEqualTo(before.at(kept)).isNotEqualTo("0");
    }
    assertThat(as(other, "POST", "/api/flows/work/runs", "{\"id\":\"on\"}").status())
        .isEqualTo(201);
    AttackTable.held(
        TenantDeletionAttackTest.class,
        "Deletions of tenants that are early, wrong, of others or repeated",
        attempts);
  }

  private static void keepStarting(String token, AtomicBoolean stops, AtomicInteger started) {
    while (!stops.get()) {
      int number = started.incrementAndGet();
      as(token, "POST", "/api/flows/work/runs", "{\"id\":\"more %d\"}".formatted(number));
      LockSupport.parkNanos(5_000_000);
    }
  }

  @Test
  void effects_in_review_hinder_a_deletion_unless_it_is_forced() throws Exception {
    String token = tenant("payer", PAY);
    server.mood("lost-1", "lost");
    String run = as(token, "POST", "/api/flows/pay/runs", "{\"id\":\"lost-1\"}").at("/id");
    while (!as(token, "GET", "/api/runs/" + run, null).at("/status").equals("review")) {
      LockSupport.parkNanos(10_000_000);
    }
    server.post("/api/tenants/payer/suspend", "{\"reason\":\"ended\"}");

    Reply refused = delete("payer", "");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.at("/detail")).contains("1 effects are in flight, in doubt or in review");
    assertThat(server.get("/api/tenants/payer").at("/state")).isEqualTo("suspended");
    assertThat(delete("payer", ",\"force\":true").at("/deletion/forced")).isEqualTo("true");
    awaitDeleted("payer");
    assertThat(server.get("/api/audit?limit=200").raw().body()).contains("by force");
    AttackTable.held(TenantDeletionAttackTest.class, "Deletions while effects are in doubt", 2);
  }

  @Test
  void a_killed_deletion_goes_on_after_the_next_start(@TempDir Path data) throws Exception {
    int kills = 0;
    String token;
    try (var first = new ServerProcess(data, List.of())) {
      token = first.token();
      first.ask(token, "POST", "/api/tenants", "{\"name\":\"acme\"}");
      String theirs = first.ask(token, "POST", "/api/tenants/acme/tokens", "{}").at("/token");
      first.release(theirs, FLOW);
      for (int i = 0; i < 60; i++) {
        first.ask(theirs, "POST", "/api/flows/work/runs", "{\"id\":\"%d\"}".formatted(i));
      }
      first.ask(token, "POST", "/api/tenants/acme/suspend", "{\"reason\":\"ended\"}");
      var begun =
          first.ask(
              token,
              "POST",
              "/api/tenants/acme/deletion",
              "{\"confirm\":\"acme\",\"reason\":\"ended\"}");
      assertThat(begun.at("/state")).isEqualTo("deleting");
      while (first.get(token, "/api/tenants/acme/deletion").json().path("records").asLong() > 0) {
        LockSupport.parkNanos(1_000_000);
      }
      first.kill();
      kills++;
    }
    try (var second = new ServerProcess(data, List.of())) {
      var now = second.get(token, "/api/tenants/acme/deletion");
      while (!now.at("/state").equals("deleted")) {
        LockSupport.parkNanos(20_000_000);
        now = second.get(token, "/api/tenants/acme/deletion");
      }
      assertThat(now.json().at("/left/bytes").asLong()).isZero();
      assertThat(now.json().at("/records").asLong()).isZero();
      assertThat(now.json().at("/deletion/rows").asLong()).isGreaterThan(60);
    }
    AttackTable.held(TenantDeletionAttackTest.class, "Deletions of tenants that are killed", kills);
  }
}
