package dev.hapax.app.queue;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hapax.testkit.fault.KafkaServer;

/** The contract for topics of Kafka. */
class KafkaQueueTest extends QueueContract {
  private static final int PARTITIONS = 3;

  @Override
  TestBroker open() throws Exception {
    assumeThat(KafkaServer.obstacle()).as("Kafka for tests").isNull();
    return new KafkaTestBroker(KafkaServer.shared(), PARTITIONS);
  }
}
