package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hapax.app.ServerCalls;
import dev.hapax.app.ServerProcess;
import dev.hapax.testkit.fault.KafkaServer;
import dev.hapax.testkit.fault.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Messages of one key are in a topic of a real broker in the order in which they were published,
 * although two nodes deliver them, the first ones are retried and a node is killed.
 */
@Tag("crash")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class PublishOrderTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final String TOPIC = "told-in-order";
  private static final int OBJECTS = 3;
  private static final int EACH = 12;

  @TempDir Path folder;

  private final List<ServerProcess> nodes = new ArrayList<>();

  @AfterEach
  void stop() {
    nodes.forEach(ServerProcess::close);
  }

  private ServerProcess node(String name, String store) throws Exception {
    Path data = Files.createDirectories(folder.resolve(name).resolve("data"));
    if (!nodes.isEmpty()) {
      for (String file : List.of("master.key", "admin.token")) {
        Files.copy(folder.resolve("one/data").resolve(file), data.resolve(file));
      }
    }
    var node = new ServerProcess(folder.resolve(name), List.of(), store);
    nodes.add(node);
    return node;
  }

  private static void awaitThat(String what, Callable<Boolean> claim) throws Exception {
    long end = System.nanoTime() + LONG.toNanos();
    while (!claim.call()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      LockSupport.parkNanos(50_000_000);
    }
  }

  private static int deliveries(ServerProcess node, String status) throws Exception {
    return node.get(
            node.token(), "/api/runs?flow=hapax%2Fdeliver%2Fbroker&limit=200&status=" + status)
        .json()
        .path("items")
        .size();
  }

  @Test
  void messages_of_a_key_are_in_the_topic_in_the_order_of_their_publication() throws Exception {
    assumeThat(KafkaServer.obstacle()).as("Kafka for tests").isNull();
    assumeThat(PostgresServer.obstacle()).as("PostgreSQL for tests").isNull();
    KafkaServer broker = KafkaServer.shared();
    String store = "store.url=" + PostgresServer.shared().newDatabase();
    ServerProcess one = node("one", store);
    ServerProcess mortal = node("two", store);
    ServerCalls.must(
        one.ask(
            one.token(),
            "PUT",
            "/api/connections/broker",
            "{\"kafka\": {\"servers\": [\"%s\"], \"tls\": \"none\", \"privateHosts\": [\"127.0.0.1\"]}}"
                .formatted(broker.server())));
    one.release(
        one.token(),
        """
        flow: tell
        key: ${input.order}/${input.number}
        steps:
          - id: say
            publish:
              connection: broker
              topic: %s
              type: order.changed
              key: ${input.order}
              data: {number: "${input.number}"}
        """
            .formatted(TOPIC));

    // The topic is not there yet: the first ones are retried, and the later ones must wait.
    for (int number = 0; number < EACH; number++) {
      for (int object = 0; object < OBJECTS; object++) {
        ServerProcess through = number % 2 == 0 ? one : mortal;
        ServerCalls.must(
            through.ask(
                through.token(),
                "POST",
                "/api/flows/tell/runs",
                "{\"order\": \"o-%d\", \"number\": %d}".formatted(object, number),
                "Prefer",
                "wait=20"));
      }
    }
    awaitThat("the first ones are tried", () -> deliveries(one, "queued") == OBJECTS * (EACH - 1));
    broker.ask("create", TOPIC, OBJECTS);
    awaitThat("some are delivered", () -> deliveries(one, "succeeded") > OBJECTS);
    mortal.kill();

    awaitThat("all are delivered", () -> deliveries(one, "succeeded") == OBJECTS * EACH);
    @SuppressWarnings("unchecked")
    var messages = (List<List<Object>>) broker.ask("read", TOPIC, OBJECTS * EACH);
    for (int object = 0; object < OBJECTS; object++) {
      String key = "o-" + object;
      assertThat(
              messages.stream()
                  .filter(message -> message.get(1).equals(key))
                  .map(message -> (String) message.get(3))
                  .distinct() // a repeat has the id of the first, and comes after it
                  .toList())
          .isEqualTo(IntStream.range(0, EACH).mapToObj("{\"number\":%d}"::formatted).toList());
    }
  }
}
