package dev.hapax.testkit.memory;

import dev.hapax.store.Store;
import dev.hapax.testkit.contract.AllContracts;
import dev.hapax.testkit.contract.NodeContract;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/** The shared store in memory keeps the contract of all stores, and that of nodes. */
class MemoryClusterTest extends AllContracts {
  @Override
  protected Store newStore() {
    return new MemoryCluster(() -> Instant.EPOCH).join();
  }

  @Nested
  class Nodes extends NodeContract {
    private MemoryCluster cluster = new MemoryCluster(clock());

    @Override
    protected Store open() {
      cluster = new MemoryCluster(clock());
      return cluster.join();
    }

    @Override
    protected Store another() {
      return cluster.join();
    }

    /** A millisecond passes at each look. */
    private static Supplier<Instant> clock() {
      var looks = new AtomicLong();
      return () -> Instant.ofEpochMilli(looks.incrementAndGet());
    }
  }
}
