package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.app.TestServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What every broker must keep: no message is lost, and none starts a second run. */
@Tag("server")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestInstance(Lifecycle.PER_METHOD)
abstract class QueueContract {
  private static final Duration LONG = Duration.ofSeconds(90);
  private static final int HOSTILE = Boolean.getBoolean("hapax.long") ? 1_000 : 80;

  /** Hostile messages that may have the id of another one. */
  private static final int REPEATED = HOSTILE / 4;

  @TempDir Path folder;

  TestBroker broker;
  TestServer server;

  /** Returns a broker with an empty queue. */
  abstract TestBroker open() throws Exception;

  @BeforeEach
  void start() throws Exception {
    broker = open();
    server = new TestServer(folder);
    connect();
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      server.close();
    }
    if (broker != null) {
      broker.close();
    }
  }

  private void connect() {
    broker
        .secrets()
        .forEach(
            (name, value) ->
                server.put("/api/secrets/" + name, "{\"value\": \"%s\"}".formatted(value)));
    connect(broker.connection());
  }

  void connect(String connection) {
    var written = server.put("/api/connections/broker", connection);
    assertThat(written.status()).as(written.raw().body()).isEqualTo(200);
  }

  String flow(String top, String trigger, String input) {
    return """
    flow: intake
    %s
    triggers:
      - queue: {connection: broker, %s%s, input: {order: "${%s}"}}
    steps:
      - id: keep
        kv: {put: {key: "seen/${input.order}", value: true}}
    output: {order: "${input.order}"}
    """
        .formatted(top, broker.trigger(), trigger, input);
  }

  /** A flow that publishes orders to this queue. */
  static String sender(String queue) {
    return """
    flow: sender
    key: ${input.order}
    steps:
      - id: tell
        publish: {connection: broker, queue: %s, key: one, type: order.paid, headers: {trace: t-1}, data: {order: "${input.order}"}}
    """
        .formatted(queue);
  }

  void goLive(String text) {
    server.release(text);
  }

  /** Returns why this release cannot go live. */
  String promotion(String text) {
    var draft =
        server
            .request("/api/flows/intake/draft")
            .setHeader("Content-Type", "application/yaml")
            .PUT(java.net.http.HttpRequest.BodyPublishers.ofString(text));
    server.send(draft);
    server.post("/api/flows/intake/releases", "{}");
    var live = server.put("/api/flows/intake/live", "{\"release\": 1}");
    assertThat(live.status()).isGreaterThanOrEqualTo(400);
    return live.raw().body();
  }

  private void promote(String text, int release) {
    var draft =
        server
            .request("/api/flows/intake/draft")
            .setHeader("Content-Type", "application/yaml")
            .PUT(java.net.http.HttpRequest.BodyPublishers.ofString(text));
    assertThat(server.send(draft).status()).isLessThan(300);
    var released = server.post("/api/flows/intake/releases", "{}");
    assertThat(released.status()).as(released.raw().body()).isLessThan(300);
    var live = server.put("/api/flows/intake/live", "{\"release\": %d}".formatted(release));
    assertThat(live.status()).as(live.raw().body()).isLessThan(300);
  }

  String orders() {
    return flow("key: ${input.order}", "", broker.message() + ".order");
  }

  void send(String order) throws Exception {
    broker.send(order, "{\"order\": \"%s\"}".formatted(order).getBytes(StandardCharsets.UTF_8));
  }

  void sendAll(int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      send("o-" + i);
    }
    broker.flush();
  }

  /** Sends messages that a broker keeps in order, because they have the same key. */
  private void sendInOrder(int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      broker.send("one", "{\"order\": \"o-%d\"}".formatted(i).getBytes(StandardCharsets.UTF_8));
    }
    broker.flush();
  }

  List<JsonNode> pages(String path) {
    var all = new ArrayList<JsonNode>();
    String next = "";
    do {
      JsonNode page =
          server.get(path + (path.contains("?") ? "&" : "?") + "limit=200" + next).body();
      page.path("items").forEach(all::add);
      next = page.path("next").isString() ? "&after=" + page.path("next").asString() : "";
    } while (!next.isEmpty());
    return all;
  }

  List<JsonNode> runs() {
    return pages("/api/runs?flow=intake");
  }

  List<JsonNode> events(String outcome) {
    return pages("/api/inbox?outcome=" + outcome);
  }

  void awaitThat(String what, Callable<Boolean> claim) {
    long end = System.nanoTime() + LONG.toNanos();
    Throwable last = null;
    while (System.nanoTime() < end) {
      try {
        if (claim.call()) {
          return;
        }
        last = null;
      } catch (Exception | AssertionError e) { // a broker or a server that is away for a moment
        last = e;
      }
      LockSupport.parkNanos(50_000_000);
    }
    throw new AssertionError(
        "%s: did not come; %s".formatted(what, server.get("/api/queues").body()), last);
  }

  void awaitRuns(int number) {
    awaitThat(number + " runs", () -> runs().size() >= number && broker.isDrained());
  }

  static Set<String> orders(int number) {
    var orders = new HashSet<String>();
    for (int i = 0; i < number; i++) {
      orders.add("o-" + i);
    }
    return orders;
  }

  Set<String> started() {
    var keys = new HashSet<String>();
    List<JsonNode> runs = runs();
    runs.forEach(run -> keys.add(run.path("key").asString()));
    assertThat(keys).hasSameSizeAs(runs);
    return keys;
  }

  @Test
  void a_message_starts_a_run_and_is_acknowledged() throws Exception {
    goLive(orders());
    sendAll(0, 250);

    awaitRuns(250);

    assertThat(started()).isEqualTo(orders(250));
    assertThat(events("accepted")).hasSize(250);
    var queue = server.get("/api/queues/intake");
    assertThat(queue.at("/status")).isEqualTo("reading");
    assertThat(queue.at("/received")).isEqualTo("250");
  }

  @Test
  void messages_that_come_again_start_nothing() throws Exception {
    Instant before = broker.now().minusSeconds(3600);
    goLive(orders());
    sendAll(0, 120);
    awaitRuns(120);

    var sought = server.post("/api/queues/intake/seek", "{\"since\": \"%s\"}".formatted(before));

    assertThat(sought.status()).as(sought.raw().body()).isEqualTo(200);
    awaitThat(
        "all come again",
        () ->
            server.get("/api/queues/intake").body().path("duplicates").asLong() >= 120
                && broker.isDrained());
    assertThat(started()).isEqualTo(orders(120));
    assertThat(events("conflicting")).isEmpty();
  }

  @Test
  void a_seek_to_an_extreme_time_is_answered() throws Exception {
    goLive(orders());
    sendAll(0, 3);
    awaitRuns(3);

    assertThat(seek("+999999999-12-31T23:59:59Z").status()).isEqualTo(400);
    assertThat(seek("-999999999-01-01T00:00:00Z").status()).isEqualTo(400);
    var first = seek("1969-12-31T23:59:59.999Z"); // -1 in milliseconds, which is a word of Kafka

    assertThat(first.status()).as(first.raw().body()).isIn(200, 409);
    if (first.status() == 200) {
      assertThat(first.at("/messages")).isEqualTo("3");
      awaitThat(
          "all come again",
          () -> server.get("/api/queues/intake").body().path("duplicates").asLong() == 3);
    }
    assertThat(started()).isEqualTo(orders(3));
  }

  TestServer.Reply seek(String since) {
    return server.post("/api/queues/intake/seek", "{\"since\": \"%s\"}".formatted(since));
  }

  @Test
  void a_restored_store_reads_and_seeks_nothing_until_it_is_declared() throws Exception {
    Instant before = broker.now();
    goLive(orders());
    sendAll(0, 3);
    awaitRuns(3);
    awaitThat("the acknowledgement", broker::isDrained);
    server.post("/api/backups", "{\"name\": \"before.db\"}");
    sendAll(3, 5);
    awaitRuns(5);
    awaitThat("the acknowledgement", broker::isDrained);
    server.close();
    for (String end : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(folder.resolve("hapax.db" + end));
    }
    Files.copy(folder.resolve("backups/before.db"), folder.resolve("hapax.db"));
    server = new TestServer(folder, true);
    sendAll(5, 8);

    var sought = server.post("/api/queues/intake/seek", "{\"since\": \"%s\"}".formatted(before));

    assertThat(sought.status()).as(sought.raw().body()).isEqualTo(503);
    assertThat(sought.at("/type")).contains("restored");
    awaitThat(
        "the look of a reader",
        () -> server.get("/api/queues/intake").raw().body().contains("the store was restored"));
    assertThat(broker.waiting()).isEqualTo(3);

    server.post("/api/restore", "{\"as\": \"production\"}");

    awaitThat("what waited", () -> broker.isDrained());
  }

  @Test
  void a_paused_queue_keeps_its_messages() throws Exception {
    goLive(orders());
    sendAll(0, 5);
    awaitRuns(5);

    server.post("/api/queues/intake/pause", "{}");
    awaitThat("the pause", () -> server.get("/api/queues/intake").at("/status").equals("paused"));
    sendAll(5, 10);
    assertThat(runs()).hasSize(5);
    assertThat(broker.waiting()).isEqualTo(5);
    awaitThat(
        "what waits is counted",
        () -> server.get("/api/queues/intake").body().path("lag").asLong() == 5);
    server.post("/api/queues/intake/resume", "{}");

    awaitRuns(10);
    assertThat(started()).isEqualTo(orders(10));
  }

  @Test
  void a_message_that_cannot_be_read_is_kept_and_stops_none_behind_it() throws Exception {
    goLive(orders());
    sendAll(0, 3);
    byte[] poison =
        (broker.carriesAnyBytes() ? "{\"order\": " : "{\"number\": 7}")
            .getBytes(StandardCharsets.UTF_8);
    broker.send("poison", poison);
    broker.flush();
    sendAll(3, 6);

    awaitRuns(6);
    awaitThat("the poison is shown", () -> events("invalid").size() == 1);

    assertThat(started()).isEqualTo(orders(6));
    String id = events("invalid").getFirst().path("id").asString();
    JsonNode event = server.get("/api/inbox/" + id).body();
    assertThat(event.path("source").asString()).isEqualTo("queue/intake");
    assertThat(event.path("payload").toString())
        .contains(
            broker.carriesAnyBytes()
                ? java.util.Base64.getEncoder().encodeToString(poison)
                : "number");
    promote(
        broker.carriesAnyBytes()
            ? flow("key: fingerprint", ", format: text", "event.body")
            : flow("key: fingerprint", "", "event.body.message"),
        2);
    assertThat(server.post("/api/inbox/" + id + "/retry", "{}").at("/outcome"))
        .isEqualTo("accepted");
  }

  @Test
  void hostile_messages_are_kept_and_stop_none_behind_them() throws Exception {
    long seed = Long.getLong("hapax.seed", 21);
    int sent = 0;
    for (HostileMessages.Hostile one : new HostileMessages(seed).some(HOSTILE)) {
      sent += broker.sendHostile(one) ? 1 : 0;
    }
    broker.flush();
    assertThat(sent).isGreaterThan(HOSTILE / 2);
    goLive(orders());
    sendAll(0, 12);
    int all = sent + 12;

    awaitThat("the honest runs, seed " + seed, () -> hasStarted(orders(12)) && broker.isDrained());

    awaitThat(
        "all are known, seed " + seed,
        () ->
            server.get("/api/queues/intake").body().path("received").asLong() >= all
                && server.get("/api/queues/intake").body().path("problem").isNull());
    assertThat(pages("/api/inbox")).as("seed " + seed).hasSizeGreaterThanOrEqualTo(all - REPEATED);
  }

  private boolean hasStarted(Set<String> orders) {
    return runs().stream()
        .map(run -> run.path("key").asString())
        .collect(java.util.stream.Collectors.toSet())
        .containsAll(orders);
  }

  @Test
  void a_conflict_about_a_long_id_stops_no_message_behind_it() throws Exception {
    goLive(
        flow(
            "key: fingerprint",
            ", event: \"${%s.order}\"".formatted(broker.message()),
            broker.message()));
    String id = "я".repeat(500);
    for (int total = 1; total <= 2; total++) {
      broker.send(
          "one",
          "{\"order\": \"%s\", \"total\": %d}"
              .formatted(id, total)
              .getBytes(StandardCharsets.UTF_8));
      broker.flush();
      int come = total;
      awaitThat(
          "it comes",
          () -> server.get("/api/queues/intake").body().path("received").asLong() >= come);
    }
    sendAll(0, 3);

    awaitRuns(4);

    assertThat(events("conflicting")).hasSize(1);
  }

  @Test
  void a_message_of_a_megabyte_starts_its_run() throws Exception {
    goLive(orders());
    String filler = "x".repeat(1_000_000);
    broker.send(
        "o-0",
        "{\"order\": \"o-0\", \"filler\": \"%s\"}"
            .formatted(filler)
            .getBytes(StandardCharsets.UTF_8));
    sendAll(1, 2);

    awaitRuns(2);

    assertThat(started()).isEqualTo(orders(2));
    assertThat(events("invalid")).isEmpty();
  }

  @Test
  void a_filter_leaves_messages_out() throws Exception {
    goLive(
        flow(
            "key: ${input.order}",
            ", filter: \"${%s.order.endsWith('1')}\"".formatted(broker.message()),
            broker.message() + ".order"));
    sendAll(0, 20);

    awaitRuns(2);

    awaitThat("all are gone", broker::isDrained);
    assertThat(started()).containsExactlyInAnyOrder("o-1", "o-11");
  }

  @Test
  void a_full_gate_keeps_the_messages_at_the_broker() throws Exception {
    goLive(
        """
        flow: intake
        key: ${input.order}
        concurrency: {limit: 1, overflow: reject}
        triggers:
          - queue: {connection: broker, %s, batch: 4, input: {order: "${%s.order}"}}
        steps:
          - id: hold
            wait: {for: 300ms}
        """
            .formatted(broker.trigger(), broker.message()));
    sendAll(0, 6);

    awaitRuns(6);

    assertThat(started()).isEqualTo(orders(6));
    assertThat(events("rejected")).isEmpty();
  }

  @Test
  void a_slow_flow_leaves_its_messages_at_the_broker() throws Exception {
    goLive(
        """
        flow: intake
        key: ${input.order}
        concurrency: {limit: 2, overflow: queue}
        triggers:
          - queue: {connection: broker, %s, batch: 5, inFlight: 10, input: {order: "${%s.order}"}}
        steps:
          - id: hold
            wait: {for: 50ms}
        """
            .formatted(broker.trigger(), broker.message()));
    sendAll(0, 40);

    int most = 0;
    boolean hasSaid = false;
    long end = System.nanoTime() + LONG.toNanos();
    while (runs().size() < 40 && System.nanoTime() < end) {
      most = Math.max(most, pages("/api/runs?flow=intake&status=queued").size());
      hasSaid |= server.get("/api/queues/intake").at("/problem").contains("wait for their turn");
      LockSupport.parkNanos(50_000_000);
    }

    awaitRuns(40);
    awaitThat("all have ended", () -> Ordered.haveSucceeded(runs()));
    assertThat(most).as("inFlight and a batch").isLessThanOrEqualTo(15);
    assertThat(hasSaid).isTrue();
    assertThat(started()).isEqualTo(orders(40));
  }

  @Test
  void an_id_with_other_content_is_shown_as_a_conflict() throws Exception {
    goLive(
        flow(
            "key: fingerprint",
            ", event: \"${%s.order}\"".formatted(broker.message()),
            broker.message()));
    broker.send("a", "{\"order\": \"a\", \"total\": 1}".getBytes(StandardCharsets.UTF_8));
    broker.flush();
    awaitRuns(1);
    broker.send("a", "{\"order\": \"a\", \"total\": 1}".getBytes(StandardCharsets.UTF_8));
    broker.send("a", "{\"order\": \"a\", \"total\": 2}".getBytes(StandardCharsets.UTF_8));
    broker.flush();

    awaitThat("both come", () -> server.get("/api/queues/intake").at("/received").equals("3"));
    assertThat(events("conflicting")).as(pages("/api/inbox").toString()).hasSize(1);

    awaitThat("all are acknowledged", broker::isDrained);
    assertThat(runs()).hasSize(1);
    assertThat(events("conflicting").getFirst().path("detail").asString())
        .startsWith("event-reused: event 'a' came before with other content");
  }

  @Test
  void runs_of_one_object_begin_in_the_order_of_their_messages() throws Exception {
    goLive(Ordered.flow(broker));
    for (int i = 0; i < 60; i++) {
      Ordered.send(broker, i);
    }
    broker.flush();

    awaitRuns(60);
    awaitThat("all have ended", () -> Ordered.haveSucceeded(runs()));

    Ordered.assertOrder(runs());
  }

  @Test
  void a_failed_run_lets_the_next_one_of_its_object_begin() throws Exception {
    goLive(
        """
        flow: intake
        key: ${input.order}
        concurrency: {limit: 1, overflow: queue}
        triggers:
          - queue: {connection: broker, %1$s, ordered: true, input: {order: "${%2$s.order}"}}
        steps:
          - id: first
            when: ${input.order == 'o-0'}
            fail: {code: broken, message: it is broken}
        """
            .formatted(broker.trigger(), broker.message()));
    sendInOrder(0, 2);

    awaitRuns(2);
    awaitThat("both have ended", () -> runs().stream().noneMatch(QueueContract::isOpen));

    assertThat(runs())
        .extracting(run -> run.path("key").asString() + " " + run.path("status").asString())
        .containsExactlyInAnyOrder("o-0 failed", "o-1 succeeded");
  }

  @Test
  void a_run_in_review_keeps_the_next_one_of_its_object_waiting() throws Exception {
    server.mood("o-0", "lost");
    goLive(
        """
        flow: intake
        key: ${input.order}
        concurrency: {limit: 1, overflow: queue}
        triggers:
          - queue: {connection: broker, %1$s, ordered: true, input: {order: "${%2$s.order}"}}
        steps:
          - id: charge
            call: {handler: charge, input: "${input.order}"}
            effect: {kind: create, key: "${input.order}", guard: none}
        """
            .formatted(broker.trigger(), broker.message()));
    sendInOrder(0, 2);

    awaitRuns(2);
    awaitThat("the review", () -> statusOf("o-0").equals("review"));
    assertThat(statusOf("o-1")).isEqualTo("queued");
    String effect = pages("/api/effects?state=review").getFirst().path("id").asString();
    server.post(
        "/api/effects/" + effect + "/settle",
        "{\"decision\": \"happened\", \"externalId\": \"c-1\", \"reason\": \"seen\"}");

    awaitThat("the next one", () -> statusOf("o-1").equals("succeeded"));
  }

  private String statusOf(String order) {
    return runs().stream()
        .filter(run -> run.path("key").asString().equals(order))
        .map(run -> run.path("status").asString())
        .findFirst()
        .orElse("none");
  }

  private static boolean isOpen(JsonNode run) {
    return Set.of("queued", "running", "waiting").contains(run.path("status").asString());
  }

  @Test
  void a_broker_that_dies_costs_no_message() throws Exception {
    goLive(orders());
    sendAll(0, 300);
    awaitThat("some runs", () -> runs().size() > 20);

    broker.crash();
    sendAll(300, 400);

    awaitRuns(400);
    assertThat(started()).isEqualTo(orders(400));
    assertThat(events("conflicting")).isEmpty();
  }
}
