package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hapax.app.ServerProcess;
import dev.hapax.app.TestServer;
import dev.hapax.testkit.fault.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What only Kafka has: partitions, groups, brokers that name others; and messages to topics. */
@Tag("server")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class KafkaTopicsTest {
  private static final Duration LONG = Duration.ofSeconds(90);

  @TempDir Path folder;

  private KafkaTestBroker broker;
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    assumeThat(KafkaServer.obstacle()).as("Kafka for tests").isNull();
    broker = new KafkaTestBroker(KafkaServer.shared(), 1);
    server = new TestServer(folder);
    assertThat(server.put("/api/connections/broker", broker.connection()).status()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private static String reader(String flow, String trigger) {
    return """
    flow: %s
    key: ${input.order}
    triggers:
      - queue: {connection: broker, %s, input: {order: "${event.body.order}"}}
    steps:
      - id: keep
        kv: {put: {key: "seen/${input.order}", value: true}}
    """
        .formatted(flow, trigger);
  }

  private static String order(String id) {
    return "{\"order\": \"%s\"}".formatted(id);
  }

  private void send(String id) {
    broker.send(id, order(id).getBytes(StandardCharsets.UTF_8));
    broker.flush();
  }

  private List<String> keys(String flow) {
    return server
        .get("/api/runs?limit=200&flow=" + flow)
        .body()
        .path("items")
        .valueStream()
        .map(run -> run.path("key").asString())
        .sorted()
        .toList();
  }

  private void awaitThat(String what, Callable<Boolean> claim) throws Exception {
    long end = System.nanoTime() + LONG.toNanos();
    while (!claim.call()) {
      assertThat(System.nanoTime())
          .as("%s; %s; %s", what, server.get("/api/queues").body(), server.get("/api/runs").body())
          .isLessThan(end);
      LockSupport.parkNanos(50_000_000);
    }
  }

  @Test
  void two_flows_read_a_topic_independently() throws Exception {
    send("o-1");
    server.release(reader("one", "queue: %s, from: earliest".formatted(broker.topic())));
    server.release(reader("two", "queue: %s, from: earliest".formatted(broker.topic())));
    send("o-2");

    awaitThat("both get all", () -> keys("one").size() == 2 && keys("two").size() == 2);

    assertThat(keys("one")).containsExactly("o-1", "o-2");
    assertThat(keys("two")).containsExactly("o-1", "o-2");
  }

  @Test
  void two_triggers_whose_names_join_alike_read_a_topic_independently() throws Exception {
    send("o-1");
    server.release(reader("a.b", "queue: %s, from: earliest, name: c".formatted(broker.topic())));
    server.release(reader("a", "queue: %s, from: earliest, name: b.c".formatted(broker.topic())));

    awaitThat("both get all", () -> keys("a.b").size() == 1 && keys("a").size() == 1);
  }

  @Test
  void a_seek_brings_back_the_messages_since_the_time_and_no_older_ones() throws Exception {
    long now = System.currentTimeMillis();
    for (int minutes : List.of(180, 120, 61, 59, 30, 1)) {
      broker.server().ask("sendAt", broker.topic(), now - minutes * 60_000L, order("o-" + minutes));
    }
    broker.flush();
    server.release(reader("intake", broker.trigger()));
    awaitThat("the runs", () -> keys("intake").size() == 6 && broker.isDrained());

    String since = Instant.ofEpochMilli(now - 3_600_000).toString();
    var sought = server.post("/api/queues/intake/seek", "{\"since\": \"%s\"}".formatted(since));

    assertThat(sought.at("/messages")).isEqualTo("3");
    awaitThat(
        "they come again", () -> server.get("/api/queues/intake").at("/duplicates").equals("3"));
    awaitThat("all are read", broker::isDrained);
    assertThat(server.get("/api/queues/intake").at("/duplicates")).isEqualTo("3");
    assertThat(keys("intake")).hasSize(6);
  }

  @Test
  void a_partition_that_is_added_is_read_from_its_first_message() throws Exception {
    send("old");
    server.release(reader("intake", "queue: %s, group: g-added".formatted(broker.topic())));
    awaitThat("the beginning", () -> broker.server().ask("positions", "g-added").equals(1));
    send("o-1");
    awaitThat("the first run", () -> keys("intake").size() == 1);

    broker.server().ask("grow", broker.topic(), 2);
    for (int i = 2; i < 5; i++) {
      broker.server().ask("sendTo", broker.topic(), 1, order("o-" + i));
    }
    broker.flush();

    awaitThat("those of the new partition", () -> keys("intake").size() == 4);
    assertThat(keys("intake")).containsExactly("o-1", "o-2", "o-3", "o-4");
  }

  @Test
  void messages_of_a_topic_that_was_made_again_are_others() throws Exception {
    server.release(
        reader("intake", "queue: %s, group: g-again, from: earliest".formatted(broker.topic())));
    send("o-1");
    send("o-2");
    awaitThat("the runs", () -> keys("intake").size() == 2);

    broker.server().ask("delete", broker.topic());
    awaitThat(
        "the problem is shown",
        () -> server.get("/api/queues/intake").at("/problem").contains("no topic"));
    broker.server().ask("create", broker.topic(), 1);
    send("o-3");
    send("o-4");

    awaitThat("the runs of the new topic", () -> keys("intake").size() == 4);
    assertThat(server.get("/api/inbox?outcome=conflicting").body().path("items")).isEmpty();
  }

  @Test
  void a_group_that_the_broker_has_forgotten_goes_on_where_it_was() throws Exception {
    sendAll("old", 5);
    server.release(reader("intake", "queue: %s, group: g-lost".formatted(broker.topic())));
    awaitThat("the beginning", () -> broker.server().ask("positions", "g-lost").equals(1));
    sendAll("before", 3);
    awaitThat("the first runs", () -> keys("intake").size() == 3);

    server.close();
    broker.server().ask("forget", "g-lost");
    sendAll("after", 10);
    server = new TestServer(folder);

    awaitThat("those that were sent meanwhile", () -> keys("intake").size() == 13);
    assertThat(keys("intake")).noneMatch(key -> key.startsWith("old"));
    assertThat(server.get("/api/queues/intake").at("/notice"))
        .contains("the broker has no position of group 'g-lost'");
  }

  private void sendAll(String prefix, int number) {
    for (int i = 0; i < number; i++) {
      send("%s-%d".formatted(prefix, i));
    }
  }

  @Test
  void positions_whose_commits_were_lost_start_nothing_twice() throws Exception {
    server.release(reader("intake", "queue: %s, group: g-back".formatted(broker.topic())));
    awaitThat("the beginning", () -> broker.server().ask("positions", "g-back").equals(1));
    sendAll("o", 12);
    awaitThat("the runs", () -> keys("intake").size() == 12);

    server.close();
    broker.server().ask("rewind", "g-back", broker.topic(), 4L);
    server = new TestServer(folder);

    awaitThat(
        "they come again", () -> server.get("/api/queues/intake").at("/duplicates").equals("8"));
    assertThat(keys("intake")).hasSize(12);
    assertThat(server.get("/api/inbox?outcome=conflicting").body().path("items")).isEmpty();
  }

  @Test
  void a_topic_that_is_made_again_at_once_is_read_once() throws Exception {
    server.release(
        reader("intake", "queue: %s, group: g-swift, from: earliest".formatted(broker.topic()))
            .replace("key: ${input.order}\n", ""));
    sendAll("old", 2);
    awaitThat("the runs", () -> runs("intake") == 2 && isDrained("g-swift"));

    broker.server().ask("delete", broker.topic());
    broker.server().ask("create", broker.topic(), 1);
    sendAll("new", 6);

    awaitThat("the first of the new topic", () -> orders().contains("new-0"));
    awaitThat("all are read", () -> isDrained("g-swift") && orders().contains("new-5"));
    assertThat(orders())
        .containsExactlyInAnyOrder(
            "old-0", "old-1", "new-0", "new-1", "new-2", "new-3", "new-4", "new-5");
  }

  private boolean isDrained(String group) {
    return broker.server().ask("waiting", group, broker.topic()).equals(0L);
  }

  private long runs(String flow) {
    return server.get("/api/runs?limit=200&flow=" + flow).body().path("items").size();
  }

  /** Returns the orders of all events that have started a run. */
  private List<String> orders() {
    return server
        .get("/api/inbox?limit=200&outcome=accepted")
        .body()
        .path("items")
        .valueStream()
        .map(event -> server.get("/api/inbox/" + event.path("id").asString()).body())
        .map(event -> event.at("/payload/body/order").asString())
        .toList();
  }

  @Test
  void a_message_that_is_too_large_is_kept_by_its_size_and_stops_none_behind_it() throws Exception {
    broker.send("big", new byte[3_000_000]);
    send("o-1");

    server.release(reader("intake", broker.trigger()));

    awaitThat("the next one", () -> keys("intake").size() == 1);
    JsonNode event = server.get("/api/inbox?outcome=invalid").body().path("items").path(0);
    assertThat(event.path("detail").asString()).contains("3000003 bytes is too large");
  }

  @Test
  void a_broker_that_names_a_private_host_is_not_reached() throws Exception {
    String port = broker.server().server().replaceAll(".*:", "");
    String connection =
        "{\"kafka\": {\"servers\": [\"localhost:%s\"], \"tls\": \"none\", \"privateHosts\": [\"localhost\"]}}"
            .formatted(port);
    assertThat(server.put("/api/connections/broker", connection).status()).isEqualTo(200);
    server.release(reader("intake", broker.trigger()));
    send("o-1");

    awaitThat(
        "the refusal",
        () ->
            server
                .get("/api/queues/intake")
                .at("/problem")
                .contains("host '127.0.0.1' has the address 127.0.0.1, which flows may not reach"));

    JsonNode stages = server.post("/api/connections/broker/test", "{}").body().path("stages");
    JsonNode last = stages.path(stages.size() - 1);
    assertThat(last.path("stage").asString()).isEqualTo("broker");
    assertThat(last.path("outcome").asString()).isEqualTo("failed");
    assertThat(last.path("detail").asString()).contains("flows may not reach");
    assertThat(keys("intake")).isEmpty();
    server.put("/api/connections/broker", broker.connection());
    awaitThat("the changed connection is used", () -> keys("intake").size() == 1);
    assertThat(server.post("/api/connections/broker/test", "{}").at("/ok")).isEqualTo("true");
  }

  @Test
  void a_message_is_published_with_its_id_and_key_also_while_the_broker_is_away() throws Exception {
    server.release(
        """
        flow: announce
        key: ${input.order}
        steps:
          - id: say
            publish:
              connection: broker
              topic: %s
              type: order.paid
              key: ${input.order}
              headers: {source: shop, number: 7}
              data: {order: "${input.order}", total: 12}
        output: {id: "${steps.say.output.id}"}
        """
            .formatted(broker.topic()));

    var started = server.post("/api/flows/announce/runs", order("o-1"), "Prefer", "wait=20");
    String id = started.at("/output/id");
    assertThat(id).as(started.raw().body()).isNotEmpty();
    awaitThat("it is published", () -> deliveries("succeeded") == 1);
    broker.server().crash();
    server.post("/api/flows/announce/runs", order("o-2"));
    awaitThat("it is published later", () -> deliveries("succeeded") == 2);

    @SuppressWarnings("unchecked")
    var messages = (List<List<Object>>) broker.server().ask("read", broker.topic(), 2);
    assertThat(messages).extracting(message -> message.get(1)).contains("o-1", "o-2");
    @SuppressWarnings("unchecked")
    var headers = (Map<String, String>) messages.getFirst().get(2);
    assertThat(headers)
        .containsEntry("source", "shop")
        .containsEntry("number", "7")
        .containsEntry("hapax-type", "order.paid");
    assertThat(headers).containsEntry("hapax-id", id);
    assertThat(messages.getFirst().get(3)).isEqualTo("{\"order\":\"o-1\",\"total\":12}");
  }

  private long deliveries(String status) {
    return server
        .get("/api/runs?flow=hapax%2Fdeliver%2Fbroker&limit=10")
        .body()
        .path("items")
        .valueStream()
        .filter(run -> run.path("status").asString().equals(status))
        .count();
  }

  @Test
  void a_server_without_the_library_says_what_is_missing() throws Exception {
    Path other = Files.createDirectories(folder.resolve("other"));
    try (var process =
        new ServerProcess(other, List.of("-Dhapax.connectors=" + folder.resolve("none")))) {
      process.ask(process.token(), "PUT", "/api/connections/broker", broker.connection());

      String answer =
          process.ask(process.token(), "POST", "/api/connections/broker/test", null).text();

      assertThat(answer)
          .contains("no client library for connections of kind kafka", "none/kafka is missing");
    }
  }
}
