package dev.hapax.store.postgres;

import dev.hapax.store.Store;
import dev.hapax.testkit.contract.AllContracts;
import dev.hapax.time.Ports;

/** The PostgreSQL store keeps the contract of all stores. */
class PostgresStoreContractTest extends AllContracts {
  @Override
  protected Store newStore() {
    return new PostgresStore(
        TestDatabase.empty(PostgresStoreContractTest.class)::getConnection,
        Ports.system().threads());
  }
}
