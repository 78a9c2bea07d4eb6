package dev.hapax.app.queue;

import static org.assertj.core.api.Assumptions.assumeThat;

/** The contract of killed processes for queues of SQS. */
class SqsNodesTest extends QueueNodesContract {
  @Override
  TestBroker open() throws Exception {
    assumeThat(ElasticMq.obstacle()).as("ElasticMQ for tests").isNull();
    return new SqsTestBroker(ElasticMq.start(), false, true);
  }
}
