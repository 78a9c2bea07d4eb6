package dev.hapax.testkit.memory;

import dev.hapax.testkit.contract.StoresAgree;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The memory store answers the same to the same: what the simulation relies on, and a self-check of
 * the comparison.
 */
class MemoryStoresAgreeTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void two_memory_stores_that_are_asked_the_same_answer_the_same(long seed) {
    StoresAgree.check(seed, MemoryStore::new, MemoryStore::new);
  }
}
