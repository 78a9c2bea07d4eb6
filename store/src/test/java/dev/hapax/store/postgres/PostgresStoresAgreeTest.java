package dev.hapax.store.postgres;

import dev.hapax.store.Store;
import dev.hapax.testkit.contract.StoresAgree;
import dev.hapax.testkit.memory.MemoryStore;
import dev.hapax.time.Ports;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The simulation runs on the memory store; what it proves holds here as far as the two answer
 * alike.
 */
@Tag("server")
class PostgresStoresAgreeTest {
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void the_memory_store_and_postgres_answer_the_same_to_the_same(long seed) {
    StoresAgree.check(seed, MemoryStore::new, this::openStore);
  }

  private Store openStore() {
    return new PostgresStore(
        TestDatabase.empty(PostgresStoresAgreeTest.class)::getConnection, Ports.system().threads());
  }
}
