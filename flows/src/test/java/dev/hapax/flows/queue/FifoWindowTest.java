package dev.hapax.flows.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hapax.Delivery;
import dev.hapax.flow.RunStatus;
import dev.hapax.flows.FlowFiles;
import dev.hapax.flows.LoadedFlow;
import dev.hapax.flows.connection.Connection;
import dev.hapax.flows.connection.ConnectionLimits;
import dev.hapax.testkit.FlowTest;
import dev.hapax.time.Ports;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A FIFO queue of SQS forgets the id of a message after five minutes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("MemberName") // the names of tests are sentences
class FifoWindowTest {
  /** Deliveries are retried for a day. */
  private static final int MOST_IN_FIVE_MINUTES = 15;

  @Test
  void a_message_in_doubt_waits_for_a_person_when_the_queue_may_have_forgotten_it()
      throws Exception {
    assertThat(sendings("orders.fifo", RunStatus.REVIEW)).isBetween(2, MOST_IN_FIVE_MINUTES);
  }

  @Test
  void a_standard_queue_gets_it_again_because_its_readers_know_the_id() throws Exception {
    assertThat(sendings("orders", RunStatus.REVIEW)).isGreaterThan(MOST_IN_FIVE_MINUTES);
  }

  /** Publishes a message to a service that never says whether it took it. */
  private static int sendings(String queue, RunStatus end) throws Exception {
    try (var service = new SqsStandIn();
        FlowFiles files =
            FlowFiles.with(Ports.system())
                .connections(
                    name ->
                        Optional.of(
                            new Connection.Sqs(
                                name,
                                "eu-central-1",
                                service.address(),
                                "AKIDEXAMPLE",
                                "key",
                                Set.of("127.0.0.1"),
                                ConnectionLimits.NONE)))
                .secrets(_ -> Optional.of("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"))
                .open()) {
      service.on("SendMessage", 500, "{\"__type\": \"InternalFailure\"}");
      LoadedFlow flow =
          files.load(
              "tell.yaml",
              """
              flow: tells
              key: ${input.id}
              steps:
                - id: tell
                  publish: {connection: aws, queue: %s, type: told, key: "${input.id}", data: {id: "${input.id}"}}
              """
                  .formatted(queue),
              1);
      try (FlowTest test = FlowTest.of()) {
        files.register(test.hapax(), flow);
        flow.start(test.hapax(), Map.of("id", "A")).await();
        List<Delivery> dead = List.of();
        for (int i = 0; i < 200 && dead.isEmpty(); i++) {
          test.move(i < 100 ? Duration.ofSeconds(10) : Duration.ofMinutes(16));
          dead = test.hapax().outbox().deadLetters();
        }
        assertThat(dead).singleElement().extracting(Delivery::status).isEqualTo(end);
        return service.asked("SendMessage").size();
      }
    }
  }
}
