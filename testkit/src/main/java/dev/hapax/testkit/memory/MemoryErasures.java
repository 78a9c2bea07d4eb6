package dev.hapax.testkit.memory;

import dev.hapax.run.ErasureRecord;
import dev.hapax.store.ErasureReads;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads of erasures, under the store's lock. */
final class MemoryErasures implements ErasureReads {
  private final Object lock;
  private final MemoryTables tables;

  MemoryErasures(Object lock, MemoryTables tables) {
    this.lock = lock;
    this.tables = tables;
  }

  @Override
  public @Nullable ErasureRecord find(long number) {
    synchronized (lock) {
      return tables.erasures().get(number);
    }
  }

  @Override
  public List<ErasureRecord> list(String tenant, int limit) {
    synchronized (lock) {
      return tables.erasures().descendingMap().values().stream()
          .filter(erasure -> erasure.tenant().equals(tenant))
          .limit(limit)
          .toList();
    }
  }

  @Override
  public List<ErasureRecord> all(long after, boolean onlyOpen, int limit) {
    synchronized (lock) {
      return tables.erasures().tailMap(after, false).values().stream()
          .filter(erasure -> !onlyOpen || erasure.endedAt() == null)
          .limit(limit)
          .toList();
    }
  }
}
