package dev.hapax.app.queue;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hapax.testkit.fault.KafkaServer;

/** The contract of killed processes for topics of Kafka. */
class KafkaNodesTest extends QueueNodesContract {
  private static final int PARTITIONS = 3;

  @Override
  TestBroker open() throws Exception {
    assumeThat(KafkaServer.obstacle()).as("Kafka for tests").isNull();
    return new KafkaTestBroker(KafkaServer.shared(), PARTITIONS);
  }
}
