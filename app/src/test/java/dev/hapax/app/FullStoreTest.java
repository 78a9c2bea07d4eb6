package dev.hapax.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer.Reply;
import dev.hapax.flow.StoreFull;
import dev.hapax.store.Batch;
import dev.hapax.store.ForwardingStore;
import dev.hapax.store.GroupAnswer;
import dev.hapax.store.Store;
import dev.hapax.store.UnknownCommit;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A store without space says so to every caller, soon, while what was accepted waits for space;
 * with space again nothing that was refused has happened, and all that was accepted goes on.
 */
@SuppressWarnings("MemberName") // the names of tests are sentences
@Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullStoreTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  private static final List<String> FLOWS =
      List.of(
          """
          flow: hold
          key: ${input.id}
          triggers:
            - webhook: {path: hold, verify: {scheme: none}, event: "${event.body.id}", input: "${event.body}"}
          steps:
            - id: hold
              call: {handler: hold, input: "${input.id}"}
              effect: {kind: create, key: "${input.id}", guard: none}
          """,
          """
          flow: tell
          key: ${input.id}
          steps:
            - {id: url, set: {url: "${callback('answer').url}"}}
            - {id: keep, kv: {put: {key: "link/${input.id}", value: "${steps.url.output.url}"}}}
            - {id: answer, wait: {callback: {expires: 1h}}}
          """,
          """
          flow: ask
          key: ${input.id}
          steps:
            - {id: release, approval: {ask: "Send?", expires: 3d, onExpire: reject}}
          """);

  @TempDir Path folder;
  private final Disk disk = new Disk();
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private TestServer server;

  /** The store of the server, which has space or not. */
  private static final class Disk extends ForwardingStore {
    private @Nullable Store store;
    private final AtomicBoolean isFull = new AtomicBoolean();
    private final AtomicBoolean losesAnswer = new AtomicBoolean();

    Store around(Store inner) {
      store = inner;
      return this;
    }

    @Override
    protected Store to() {
      return Objects.requireNonNull(store);
    }

    @Override
    public List<GroupAnswer> commit(Batch batch) {
      if (isFull.get()) {
        throw new StoreFull("no space", null);
      }
      List<GroupAnswer> answers = to().commit(batch);
      if (losesAnswer.getAndSet(false)) {
        isFull.set(true);
        throw new UnknownCommit("no answer", new IOException("reset"));
      }
      return answers;
    }
  }

  @BeforeEach
  void start() throws Exception {
    server =
        new TestServer(
            folder,
            Extras.of(
                    files ->
                        files.handler(
                            "hold",
                            (_, _) -> {
                              mayEnd.await();
                              return Map.of();
                            }),
                    tokens -> tokens)
                .storedIn(disk::around));
    FLOWS.forEach(server::release);
  }

  @AfterEach
  void stop() {
    mayEnd.countDown();
    disk.isFull.set(false);
    server.close();
  }

  private static void await(BooleanSupplier claim) {
    while (!claim.getAsBoolean()) {
      LockSupport.parkNanos(20_000_000); // the test's own time limit ends this
    }
  }

  private String started(String flow, String id) {
    Reply reply =
        server.post("/api/flows/%s/runs".formatted(flow), "{\"id\": \"%s\"}".formatted(id));
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(201);
    return reply.at("/id");
  }

  private String stateOf(String run) {
    return server.get("/api/runs/" + run).at("/status");
  }

  @Test
  void every_write_is_refused_soon_and_all_that_was_accepted_goes_on() {
    server.put("/api/tenants/default/quotas", "{\"runsPerDay\": 100}");
    String held = started("hold", "h");
    String canceled = started("ask", "c");
    String asks = started("ask", "a");
    String told = started("tell", "t");
    await(() -> server.get("/api/approvals").body().path("items").size() == 2);
    await(() -> stateOf(told).equals("waiting"));
    String approval = "";
    for (JsonNode one : server.get("/api/approvals").body().path("items")) {
      approval = one.path("run").asString().equals(asks) ? one.path("id").asString() : approval;
    }
    String decide = "/api/approvals/" + approval;
    String link = server.get("/api/kv/link/t").at("/value").replaceAll(".*/api", "/api");

    Map<String, Supplier<Reply>> writes = new LinkedHashMap<>();
    writes.put("start", () -> server.post("/api/flows/ask/runs", "{\"id\": \"new\"}"));
    writes.put("webhook", () -> server.post("/hooks/hold", "{\"id\": \"event\"}"));
    writes.put("callback", () -> server.post(link, "{\"ok\": true}"));
    writes.put("approval", () -> server.post(decide, "{\"decision\": \"approve\"}"));
    writes.put("cancel", () -> server.post("/api/runs/" + canceled + "/cancel", "{}"));
    writes.put("kv", () -> server.put("/api/kv/x", "{\"value\": 1}"));
    writes.put("secret", () -> server.put("/api/secrets/s", "{\"value\": \"v\"}"));
    writes.put(
        "draft",
        () ->
            server.send(
                server
                    .request("/api/flows/free/draft")
                    .setHeader("Content-Type", "application/yaml")
                    .PUT(
                        BodyPublishers.ofString(
                            "flow: free\nsteps:\n  - {id: note, set: {a: b}}\n"))));
    writes.put(
        "token",
        () -> server.post("/api/tokens", "{\"name\": \"t\", \"scopes\": [\"runs:read\"]}"));
    writes.put("quota", () -> server.put("/api/tenants/default/quotas", "{\"runsPerDay\": 7}"));

    disk.isFull.set(true);
    mayEnd.countDown(); // the outcome of the held run waits for space
    writes.forEach(
        (what, write) -> {
          for (int i = 0; i < 2; i++) {
            long before = System.nanoTime();
            Reply reply = write.get();
            assertThat(reply.status()).as("%s: %s", what, reply.raw().body()).isEqualTo(503);
            assertThat(reply.at("/detail")).as(what).contains("the store is full");
            assertThat(System.nanoTime() - before).as(what).isLessThan(SOON.toNanos());
          }
        });
    assertThat(stateOf(held)).isEqualTo("running");

    disk.isFull.set(false);
    await(() -> stateOf(held).equals("succeeded"));
    await(() -> server.get("/readyz").status() == 200);
    assertThat(server.get("/api/kv/x").status()).isEqualTo(404);
    assertThat(server.get(decide).at("/state")).isEqualTo("open");
    assertThat(server.get("/api/inbox").body().path("items")).isEmpty();
    assertThat(server.get("/api/runs").body().path("items")).hasSize(4);
    assertThat(server.get("/api/tenants/default/quotas").at("/quotas/runsPerDay")).isEqualTo("100");
    writes.forEach(
        (what, write) -> {
          Reply reply = write.get();
          assertThat(reply.status()).as("%s: %s", what, reply.raw().body()).isLessThan(300);
        });
  }

  @Test
  void a_write_that_may_have_landed_is_not_refused_when_there_is_no_space_then() throws Exception {
    disk.losesAnswer.set(true);
    var answer = CompletableFuture.supplyAsync(() -> server.put("/api/kv/x", "{\"value\": 1}"));
    await(disk.isFull::get);
    await(() -> server.put("/api/kv/y", "{\"value\": 1}").status() == 503);
    assertThat(answer).isNotDone();

    disk.isFull.set(false);

    assertThat(answer.get().status()).isEqualTo(200);
    assertThat(server.get("/api/kv/x").at("/value")).isEqualTo("1");
  }
}
