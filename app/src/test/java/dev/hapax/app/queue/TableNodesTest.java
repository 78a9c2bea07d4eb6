package dev.hapax.app.queue;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.hapax.testkit.fault.PostgresServer;

/** The contract of killed processes for tables of PostgreSQL. */
class TableNodesTest extends QueueNodesContract {
  @Override
  TestBroker open() throws Exception {
    assumeThat(PostgresServer.obstacle()).as("PostgreSQL for tests").isNull();
    return new TableTestBroker(PostgresServer.shared());
  }
}
