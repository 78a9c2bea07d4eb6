package dev.hapax.app.queue;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.Map;

/** The contract of killed processes for queues of RabbitMQ. */
class RabbitNodesTest extends QueueNodesContract {
  @Override
  TestBroker open() throws Exception {
    assumeThat(RabbitServer.obstacle()).as("RabbitMQ for tests").isNull();
    return new RabbitTestBroker(RabbitServer.start(), false, Map.of());
  }
}
