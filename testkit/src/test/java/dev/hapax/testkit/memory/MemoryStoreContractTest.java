package dev.hapax.testkit.memory;

import dev.hapax.store.Store;
import dev.hapax.testkit.contract.AllContracts;

/** The memory store keeps the contract of all stores. */
class MemoryStoreContractTest extends AllContracts {
  @Override
  protected Store newStore() {
    return new MemoryStore();
  }
}
