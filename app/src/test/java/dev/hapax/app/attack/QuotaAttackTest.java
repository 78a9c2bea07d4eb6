package dev.hapax.app.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import dev.hapax.app.TestServer.Reply;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One tenant is at its quotas; the other one notices nothing. */
@Tag("attack")
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class QuotaAttackTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final String FLOW =
      """
      flow: work
      key: ${input.id}
      triggers:
        - webhook: {path: work, verify: {scheme: none}, event: "${event.body.id}", input: "${event.body}"}
      steps:
        - {id: nap, wait: {for: 20ms}}
        - {id: a, set: {b: c}}
      """;

  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void open() throws Exception {
    server = new TestServer(folder, "http.requestsPerToken=off", "http.requestsPerAddress=off");
    tenant("other");
  }

  @AfterAll
  static void close() {
    CLIENT.shutdownNow();
    server.close();
  }

  /** Each test has a tenant of its own, so that no test depends on another. */
  private static void tenant(String name) {
    server.post("/api/tenants", "{\"name\":\"%s\"}".formatted(name));
    assertThat(as(name, "PUT", "/api/flows/work/draft", FLOW).status()).isEqualTo(200);
    as(name, "POST", "/api/flows/work/releases", "{}");
    assertThat(as(name, "PUT", "/api/flows/work/live", "{\"release\":1}").status()).isEqualTo(200);
  }

  private static Reply as(String tenant, String method, String path, @Nullable String body) {
    return server.send(
        server
            .request(path)
            .setHeader("Authorization", "Bearer " + server.tokenOf(tenant))
            .setHeader(
                "Content-Type", path.endsWith("/draft") ? "application/yaml" : "application/json")
            .method(
                method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
  }

  private static Reply start(String tenant, String id) {
    return as(tenant, "POST", "/api/flows/work/runs", "{\"id\":\"%s\"}".formatted(id));
  }

  private static void quotas(String tenant, String json) {
    Reply set = server.put("/api/tenants/%s/quotas".formatted(tenant), json);
    assertThat(set.status()).as(set.raw().body()).isEqualTo(200);
  }

  private static void refusedBy(String quota, Reply reply) {
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(429);
    assertThat(reply.at("/type")).endsWith("/quota-exceeded");
    assertThat(reply.at("/quota")).isEqualTo(quota);
    assertThat(reply.at("/limit")).isNotEmpty();
    assertThat(reply.at("/detail")).contains("ask the operator");
  }

  private static void await(String tenant, String run) {
    String status = "";
    while (!status.equals("succeeded")) {
      status = as(tenant, "GET", "/api/runs/" + run, null).at("/status");
      assertThat(status).isNotEqualTo("failed");
      LockSupport.parkNanos(5_000_000);
    }
  }

  @Test
  void requests_beyond_the_quota_are_refused_and_others_are_not() throws Exception {
    tenant("asking");
    quotas("asking", "{\"requestsPerSecond\":1}");
    int refused = 0;
    int attempts = 0;
    for (int i = 0; i < 100; i++) {
      attempts++;
      Reply reply = as("asking", "GET", "/api/runs", null);
      if (reply.status() != 200) {
        refused++;
        refusedBy("requestsPerSecond", reply);
        assertThat(reply.header("Retry-After")).isNotNull();
      }
      assertThat(as("other", "GET", "/api/runs", null).status()).isEqualTo(200);
    }
    assertThat(refused).isPositive();
    AttackTable.held(QuotaAttackTest.class, "Requests beyond the quota of a tenant", attempts);
  }

  @Test
  void starts_and_deliveries_at_once_get_exactly_the_runs_of_the_day() throws Exception {
    tenant("busy");
    quotas("busy", "{\"runsPerDay\":20}");
    var accepted = new ConcurrentLinkedQueue<String>();
    var attempts = new AtomicInteger();
    var refused = new ConcurrentLinkedQueue<Reply>();
    List<Thread> threads = new ArrayList<>();
    for (int worker = 0; worker < 8; worker++) {
      int mine = worker;
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < 10; i++) {
                      begin("%d-%d".formatted(mine, i), mine % 2 == 0, accepted, refused);
                      attempts.incrementAndGet();
                    }
                  }));
    }
    for (int i = 0; i < 10; i++) {
      assertThat(start("other", "beside-" + i).status()).isEqualTo(201);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(accepted).hasSize(20);
    assertThat(refused).hasSize(60);
    for (Reply reply : refused) {
      refusedBy("runsPerDay", reply);
      assertThat(Long.parseLong(String.valueOf(reply.header("Retry-After")))).isPositive();
    }
    for (String id : accepted) { // duplicates of accepted runs
      attempts.incrementAndGet();
      assertThat(start("busy", id).status()).isEqualTo(200);
    }
    Reply shown = server.get("/api/tenants/busy/quotas");
    assertThat(shown.at("/use/runsToday")).isEqualTo("20");
    assertThat(server.get("/api/tenants/busy").at("/use/runsToday")).isEqualTo("20");
    quotas("busy", "{}");
    assertThat(start("busy", "later").status()).isEqualTo(201);
    AttackTable.held(
        QuotaAttackTest.class, "Starts and deliveries beyond the runs of a day", attempts.get());
  }

  private static void begin(
      String id, boolean byHook, Queue<String> accepted, Queue<Reply> refused) {
    Reply reply =
        byHook
            ? server.post("/hooks/busy/work", "{\"id\":\"%s\"}".formatted(id))
            : start("busy", id);
    if (reply.status() < 300) {
      accepted.add(id);
    } else {
      refused.add(reply);
    }
  }

  @Test
  void streams_beyond_the_quota_are_refused_and_free_again() throws Exception {
    tenant("reader");
    quotas("reader", "{\"streams\":2}");
    var open = new ArrayList<HttpResponse<InputStream>>();
    int attempts = 0;
    for (int i = 0; i < 12; i++) {
      attempts++;
      HttpResponse<InputStream> reply = stream("reader");
      assertThat(reply.statusCode()).isEqualTo(i < 2 ? 200 : 429);
      open.add(reply);
    }
    assertThat(server.get("/api/tenants/reader/quotas").at("/use/streams")).isEqualTo("2");
    HttpResponse<InputStream> theirs = stream("other");
    assertThat(theirs.statusCode()).isEqualTo(200);
    theirs.body().close();
    quotas("reader", "{\"streams\":3}");
    HttpResponse<InputStream> third = stream("reader");
    assertThat(third.statusCode()).isEqualTo(200);
    open.add(third);
    for (HttpResponse<InputStream> one : open) {
      one.body().close();
    }
    AttackTable.held(QuotaAttackTest.class, "Streams beyond the quota of a tenant", attempts);
  }

  private static HttpResponse<InputStream> stream(String tenant) throws Exception {
    return CLIENT.send(
        server
            .request("/api/events")
            .setHeader("Authorization", "Bearer " + server.tokenOf(tenant))
            .GET()
            .build(),
        BodyHandlers.ofInputStream());
  }

  @Test
  void runs_beyond_the_quota_of_memory_wait_and_none_fails() throws Exception {
    tenant("crowd");
    quotas("crowd", "{\"runsInMemory\":1}");
    var runs = new ArrayList<String>();
    for (int i = 0; i < 40; i++) {
      Reply started = start("crowd", "run-" + i);
      assertThat(started.status()).isEqualTo(201);
      runs.add(started.at("/id"));
    }
    await("other", start("other", "beside a crowd").at("/id"));
    for (String run : runs) {
      await("crowd", run);
    }
    AttackTable.held(
        QuotaAttackTest.class, "Runs beyond the memory quota of a tenant", runs.size());
  }

  @Test
  void a_full_tenant_starts_nothing_and_others_do() throws Exception {
    tenant("hoarder");
    quotas("hoarder", "{\"storeBytes\":1000000}");
    String filler = "x".repeat(100_000);
    int accepted = 0;
    int last = 0;
    for (int i = 0; i < 40; i++) {
      Reply reply =
          as(
              "hoarder",
              "POST",
              "/api/flows/work/runs",
              "{\"id\":\"%d\",\"filler\":\"%s\"}".formatted(i, filler));
      last = reply.status();
      if (last == 201) {
        accepted++;
        await("hoarder", reply.at("/id"));
      } else {
        refusedBy("storeBytes", reply);
      }
    }
    assertThat(accepted).isBetween(1, 10);
    assertThat(last).isEqualTo(429);
    refusedBy(
        "storeBytes",
        server.post(
            "/hooks/hoarder/work", "{\"id\":\"hook\",\"filler\":\"%s\"}".formatted(filler)));
    assertThat(start("other", "beside a hoarder").status()).isEqualTo(201);
    quotas("hoarder", "{\"storeBytes\":100000000}");
    assertThat(start("hoarder", "again").status()).isEqualTo(201);
    AttackTable.held(QuotaAttackTest.class, "Runs that fill the store", 41);
  }

  @Test
  void events_that_start_nothing_do_not_fill_the_store_either() throws Exception {
    tenant("junk");
    quotas("junk", "{\"storeBytes\":1000000}");
    String filler = "x".repeat(100_000);
    int kept = 0;
    int refused = 0;
    for (int i = 0; i < 40; i++) {
      Reply reply =
          server.post(
              "/hooks/junk/work",
              "{\"without\":\"an id\",\"number\":%d,\"filler\":\"%s\"}".formatted(i, filler));
      if (reply.status() == 429) {
        refused++;
        refusedBy("storeBytes", reply);
      } else {
        kept++;
        assertThat(reply.at("/outcome")).isEqualTo("invalid");
      }
    }
    assertThat(kept).isBetween(1, 10);
    assertThat(refused).isEqualTo(40 - kept);
    AttackTable.held(QuotaAttackTest.class, "Invalid events that fill the store", 40);
  }

  @Test
  void only_the_operator_sees_and_sets_quotas() throws Exception {
    tenant("sly");
    quotas("sly", "{\"runsPerDay\":1}");
    int attempts = 0;
    for (String of : List.of("sly", "other", "default", "none", "..", "%2e%2e")) {
      String path = "/api/tenants/%s/quotas".formatted(of);
      for (String method : List.of("GET", "PUT", "POST", "DELETE", "PATCH")) {
        attempts++;
        Reply reply = as("sly", method, path, method.equals("GET") ? null : "{}");
        assertThat(reply.status()).as("%s %s", method, path).isIn(400, 403, 404, 405);
        assertThat(reply.raw().body()).doesNotContain("runsPerDay");
      }
    }
    for (String wrong :
        List.of(
            "{\"streams\":0}",
            "{\"streams\":-1}",
            "{\"runsPerDay\":99999999999999999999}",
            "{\"storeBytes\":1}",
            "{\"unknown\":1}",
            "{\"streams\":\"many\"}",
            "{\"callsAtOnce\":1.5}",
            "[]",
            "null",
            "")) {
      attempts++;
      assertThat(server.put("/api/tenants/sly/quotas", wrong).status()).as(wrong).isEqualTo(400);
    }
    assertThat(server.get("/api/tenants/sly/quotas").at("/quotas/runsPerDay")).isEqualTo("1");
    assertThat(server.get("/api/audit").raw().body()).contains("PUT /api/tenants/{name}/quotas");
    AttackTable.held(QuotaAttackTest.class, "Quotas read or set by others", attempts);
  }
}
