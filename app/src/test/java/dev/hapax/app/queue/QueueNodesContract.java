package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hapax.app.ServerCalls;
import dev.hapax.app.ServerProcess;
import dev.hapax.testkit.fault.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What every broker must keep while the processes that read it are killed. */
@Tag("crash")
@Timeout(value = 1800, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class QueueNodesContract {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final int KILLS = Boolean.getBoolean("hapax.long") ? 30 : 8;
  private static final int PER_KILL = 100;
  private static final int SHARED_AT_ONCE = 60;
  private static final int MOST_SHARED = 3_000;

  @TempDir Path folder;

  private TestBroker broker;
  private final List<ServerProcess> nodes = new ArrayList<>();

  /** Returns a broker with an empty queue. */
  abstract TestBroker open() throws Exception;

  @BeforeEach
  void openBroker() throws Exception {
    broker = open();
  }

  @AfterEach
  void stop() throws Exception {
    nodes.forEach(ServerProcess::close);
    if (broker != null) {
      broker.close();
    }
  }

  private ServerProcess node(String name, String... settings) throws Exception {
    Path data = folder.resolve(name).resolve("data");
    Files.createDirectories(data);
    if (!nodes.isEmpty() && !Files.exists(data.resolve("master.key"))) {
      for (String file : List.of("master.key", "admin.token")) {
        Files.copy(folder.resolve("one/data").resolve(file), data.resolve(file));
      }
    }
    var node = new ServerProcess(folder.resolve(name), List.of(), settings);
    nodes.add(node);
    return node;
  }

  private void goLive(ServerProcess node, String text) throws Exception {
    for (var secret : broker.secrets().entrySet()) {
      ServerCalls.must(
          node.ask(
              node.token(),
              "PUT",
              "/api/secrets/" + secret.getKey(),
              "{\"value\": \"%s\"}".formatted(secret.getValue())));
    }
    ServerCalls.must(node.ask(node.token(), "PUT", "/api/connections/broker", broker.connection()));
    node.release(node.token(), text);
  }

  private static List<JsonNode> runs(ServerProcess node) throws Exception {
    var all = new ArrayList<JsonNode>();
    String next = "";
    do {
      JsonNode page = node.get(node.token(), "/api/runs?flow=intake&limit=200" + next).json();
      page.path("items").forEach(all::add);
      next = page.path("next").isString() ? "&after=" + page.path("next").asString() : "";
    } while (!next.isEmpty());
    return all;
  }

  private void awaitThat(String what, Callable<Boolean> claim) throws Exception {
    long end = System.nanoTime() + LONG.toNanos();
    while (!claim.call()) {
      assertThat(System.nanoTime()).as("%s; %s wait", what, broker.waiting()).isLessThan(end);
      LockSupport.parkNanos(50_000_000);
    }
  }

  @Test
  void a_process_that_is_killed_loses_no_message_starts_none_twice_and_keeps_the_order()
      throws Exception {
    ServerProcess node = node("one");
    goLive(node, Ordered.flow(broker));
    int sent = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      for (int i = 0; i < PER_KILL; i++) {
        Ordered.send(broker, sent++);
      }
      broker.flush();
      int before = kill * PER_KILL;
      ServerProcess reading = node;
      awaitThat("some runs", () -> runs(reading).size() > before + 10);
      node.kill();
      node = node("one");
    }

    ServerProcess last = node;
    int all = sent;
    awaitThat("all runs", () -> runs(last).size() >= all && broker.isDrained());
    awaitThat("their ends", () -> Ordered.haveSucceeded(runs(last)));
    assertThat(runs(last)).hasSize(all);
    assertThat(runs(last).stream().map(run -> run.path("key").asString()).distinct()).hasSize(all);
    Ordered.assertOrder(runs(last));
  }

  @Test
  void three_nodes_share_the_messages_and_keep_their_order_when_one_is_killed() throws Exception {
    assumeThat(PostgresServer.obstacle()).as("PostgreSQL for tests").isNull();
    String store = "store.url=" + PostgresServer.shared().newDatabase();
    ServerProcess first = node("one", store);
    node("two", store);
    ServerProcess mortal = node("three", store);
    goLive(first, Ordered.flow(broker));

    for (int i = 0; i < 240; i++) {
      Ordered.send(broker, i);
      if (i == 120) {
        broker.flush();
        awaitThat("some runs", () -> runs(first).size() > 10);
        mortal.kill();
      }
    }
    broker.flush();

    awaitThat("all runs", () -> runs(first).size() >= 240 && broker.isDrained());
    awaitThat("their ends", () -> Ordered.haveSucceeded(runs(first)));
    assertThat(runs(first)).hasSize(240);
    Ordered.assertOrder(runs(first));
  }

  @Test
  void nodes_share_a_queue_without_an_order_also_one_that_joins_later() throws Exception {
    assumeThat(PostgresServer.obstacle()).as("PostgreSQL for tests").isNull();
    String store = "store.url=" + PostgresServer.shared().newDatabase();
    ServerProcess first = node("one", store);
    ServerProcess second = node("two", store);
    goLive(first, Ordered.flow(broker).replace("ordered: true, ", ""));
    int sent = sendSome(0);
    awaitThat("the first runs", () -> runs(first).size() > 10);

    List<ServerProcess> all = List.of(first, second, node("three", store));
    while (!haveAllReceived(all)) {
      assertThat(sent).as("messages, and a node has received none").isLessThan(MOST_SHARED);
      sent = sendSome(sent);
      int expected = sent;
      awaitThat("all runs", () -> runs(first).size() >= expected && broker.isDrained());
    }

    assertThat(runs(first)).hasSize(sent);
    assertThat(runs(first).stream().map(run -> run.path("key").asString())).doesNotHaveDuplicates();
  }

  /** Returns the number of the next message. */
  private int sendSome(int from) throws Exception {
    for (int i = from; i < from + SHARED_AT_ONCE; i++) {
      Ordered.send(broker, i);
    }
    broker.flush();
    return from + SHARED_AT_ONCE;
  }

  private static boolean haveAllReceived(List<ServerProcess> nodes) throws Exception {
    for (ServerProcess node : nodes) {
      JsonNode queue = node.get(node.token(), "/api/queues/intake").json();
      if (queue.path("received").asLong() == 0) {
        return false;
      }
    }
    return true;
  }
}
