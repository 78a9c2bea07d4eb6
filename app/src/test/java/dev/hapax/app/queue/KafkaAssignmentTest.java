package dev.hapax.app.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hapax.flow.NoAnswer;
import dev.hapax.flow.StoreUnavailable;
import dev.hapax.flows.connection.BrokerClients;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.flows.connection.Databases;
import dev.hapax.flows.connection.Egress;
import dev.hapax.flows.connection.NetworkWayOut;
import dev.hapax.flows.connection.Redaction;
import dev.hapax.flows.connection.Secrets;
import dev.hapax.flows.queue.BrokerServices;
import dev.hapax.flows.queue.Brokers;
import dev.hapax.flows.queue.GroupMemory;
import dev.hapax.flows.queue.QueueConsumer;
import dev.hapax.flows.queue.QueueStart;
import dev.hapax.flows.queue.QueueTerms;
import dev.hapax.testkit.fault.KafkaServer;
import dev.hapax.time.Ports;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that is away at the moment in which a group of Kafka gives out its partitions. */
@Tag("server")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class KafkaAssignmentTest {
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** A store that gives no answer to the first questions. */
  private static final class MemoryOfAStore implements GroupMemory {
    private final Map<String, Known> kept = new ConcurrentHashMap<>();
    private final AtomicInteger refusals = new AtomicInteger(1);

    @Override
    public @Nullable Known recall(String place) {
      if (refusals.getAndDecrement() > 0) {
        throw new StoreUnavailable("the store did not answer", null);
      }
      return kept.get(place);
    }

    @Override
    public void keep(String place, Known now) {
      kept.put(place, now);
    }

    @Override
    public void tell(String notice) {}
  }

  private static Brokers brokers() {
    var redaction = new Redaction();
    var opened = new ArrayList<Brokers>();
    BrokerClients.Opening clients =
        (network, way) -> {
          opened.add(new Brokers(new BrokerServices(network, way, Ports.system())));
          return opened.getLast();
        };
    var _ =
        new NetworkWayOut(
            Egress.system(),
            Secrets.NONE,
            redaction,
            Ports.system().clock(),
            Databases.Driver.NONE,
            clients);
    return opened.getLast();
  }

  private static Connection connection(KafkaServer server) {
    URI address = URI.create("kafka://" + server.server());
    return new Connection.Kafka(
        "broker",
        List.of(new Connection.Kafka.Server(address.getHost(), address.getPort())),
        Connection.Encryption.NONE,
        null,
        Set.of(address.getHost()),
        ConnectionLimits.NONE);
  }

  @Test
  void a_group_that_begins_at_the_latest_message_reads_no_older_one_after_the_store_was_away()
      throws Exception {
    assumeThat(KafkaServer.obstacle()).as("Kafka for tests").isNull();
    var broker = new KafkaTestBroker(KafkaServer.shared(), 1);
    for (int i = 0; i < 5; i++) {
      broker.send("old", "old".getBytes(StandardCharsets.UTF_8));
    }
    broker.flush();
    var memory = new MemoryOfAStore();
    var terms =
        new QueueTerms(
            broker.topic(), broker.topic() + "-late", true, 10, false, QueueStart.LATEST, null);
    List<String> received = new ArrayList<>();
    QueueConsumer.Receiver receiver =
        messages -> {
          messages.forEach(one -> received.add(new String(one.body(), StandardCharsets.UTF_8)));
          return messages.size();
        };

    try (QueueConsumer consumer = brokers().open(connection(broker.server()), terms, memory)) {
      assertThat(NoAnswer.behind(failureOf(consumer, receiver))).isNotNull();
      while (memory.kept.isEmpty() && received.isEmpty()) {
        consumer.poll(LOOK, receiver);
      }
      broker.send("new", "new".getBytes(StandardCharsets.UTF_8));
      broker.flush();
      while (!received.contains("new")) {
        consumer.poll(LOOK, receiver);
      }
    }

    assertThat(received).containsExactly("new");
  }

  /** Polls until that fails: the first looks may end before the group has its members. */
  private static Exception failureOf(QueueConsumer consumer, QueueConsumer.Receiver receiver) {
    while (true) {
      try {
        consumer.poll(LOOK, receiver);
      } catch (Exception e) {
        return e;
      }
    }
  }
}
